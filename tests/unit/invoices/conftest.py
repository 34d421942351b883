"""Properties are judged by what they say, not by how long a busy machine takes over them."""

from hypothesis import settings

settings.register_profile("steady", deadline=None)
settings.load_profile("steady")
