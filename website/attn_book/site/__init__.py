"""From the raw pages of Sphinx to pages of the site."""
