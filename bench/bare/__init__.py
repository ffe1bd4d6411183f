"""The rival: Django with one view that runs the API's statements and sends a stored answer."""
