"""What is done with the course besides reading it: build, serve, archive, address, trials."""
