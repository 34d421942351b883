"""The application: settings, wiring, command line, web inbox, server hooks, worker."""
