"""Page objects: one module for each page or dialog of the frontend.

Scopes are the frontend's own elements, such as `dialog-data-entry-flow`: what a page puts into the
slots of a dialog is no descendant of the dialog's role.
"""
