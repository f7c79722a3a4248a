"""`eagerdiff bench`: a stranger's operators, timed and counted over their commits through asv."""
