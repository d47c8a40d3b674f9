"""Where readers meet the course, tried without the services: Colab, Binder, Lab, the wheel."""
