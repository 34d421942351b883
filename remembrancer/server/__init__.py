"""What `langgraph.json` names: graphs, checkpoints, store, sign-in and pages of a LangGraph server."""
