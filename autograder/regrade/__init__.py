"""A whole class: from what a learning management system gave to tables, results and a report."""
