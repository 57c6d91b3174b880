"""What the panels show: the account of the run and table models over its rows."""
