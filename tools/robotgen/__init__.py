"""Generator of the robots, meshes and worlds that ship with graze (standard library only)."""
