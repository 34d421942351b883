"""What all other packages stand on: errors, clock, ids, database and migrations, masking. Knows nothing above."""
