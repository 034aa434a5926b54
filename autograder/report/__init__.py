"""What an instructor reads of a whole class: figures made from a ClassReport, and the page that shows them."""
