"""Where does a reader of pictures look?"""
