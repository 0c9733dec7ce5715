"""Collada 1.4.1 with Z up, metres, one geometry per material and smooth normals."""

import math

from .shape import snap
from .stl import number

CREASE = math.cos(math.radians(38.0))

HEAD = """<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset>
    <contributor><authoring_tool>graze tools/make_robots.py</authoring_tool></contributor>
    <created>2000-01-01T00:00:00Z</created>
    <modified>2000-01-01T00:00:00Z</modified>
    <unit name="meter" meter="1"/>
    <up_axis>Z_UP</up_axis>
  </asset>
"""


def document(shape, name, palette):
    groups = shape.by_material()
    text = [HEAD, "  <library_effects>\n"]
    text += [_effect(material, palette[material]) for material, _ in groups]
    text += ["  </library_effects>\n  <library_materials>\n"]
    text += ['    <material id="%s" name="%s"><instance_effect url="#%s-effect"/></material>\n'
             % (material, material, material) for material, _ in groups]
    text += ["  </library_materials>\n  <library_geometries>\n"]
    text += [_geometry("%s-%s" % (name, material), material, solids) for material, solids in groups]
    text += ["  </library_geometries>\n  <library_visual_scenes>\n",
             '    <visual_scene id="scene" name="%s">\n' % name]
    text += [_node("%s-%s" % (name, material), material) for material, _ in groups]
    text += ["    </visual_scene>\n  </library_visual_scenes>\n",
             '  <scene><instance_visual_scene url="#scene"/></scene>\n</COLLADA>\n']
    return "".join(text).encode("utf-8")


def _effect(material, look):
    red, green, blue, shine = look
    return ('    <effect id="%s-effect"><profile_COMMON><technique sid="common"><phong>\n'
            '      <ambient><color>%s %s %s 1</color></ambient>\n'
            '      <diffuse><color>%s %s %s 1</color></diffuse>\n'
            '      <specular><color>%s %s %s 1</color></specular>\n'
            '      <shininess><float>%s</float></shininess>\n'
            '    </phong></technique></profile_COMMON></effect>\n'
            % ((material,) + tuple(number(x * 0.3, 3) for x in (red, green, blue))
               + tuple(number(x, 3) for x in (red, green, blue))
               + (number(shine, 3),) * 3 + (number(10.0 + 80.0 * shine, 1),)))


def _node(name, material):
    return ('      <node id="%s-node" name="%s"><instance_geometry url="#%s"><bind_material>'
            '<technique_common>\n        <instance_material symbol="%s" target="#%s"/>\n'
            '      </technique_common></bind_material></instance_geometry></node>\n'
            % (name, name, name, material, material))


def _geometry(name, material, solids):
    positions, normals, indices = _indexed(solids)
    lines = ['    <geometry id="%s" name="%s"><mesh>\n' % (name, name)]
    lines.append(_source(name + "-positions", positions, 6))
    lines.append(_source(name + "-normals", normals, 3))
    lines.append('      <vertices id="%s-vertices"><input semantic="POSITION" '
                 'source="#%s-positions"/></vertices>\n' % (name, name))
    lines.append('      <triangles material="%s" count="%d">\n' % (material, len(indices) // 3))
    lines.append('        <input semantic="VERTEX" source="#%s-vertices" offset="0"/>\n' % name)
    lines.append('        <input semantic="NORMAL" source="#%s-normals" offset="1"/>\n' % name)
    lines.append("        <p>" + " ".join("%d %d" % pair for pair in indices) + "</p>\n")
    lines.append("      </triangles>\n    </mesh></geometry>\n")
    return "".join(lines)


def _source(name, rows, digits):
    data = "\n".join(" ".join(number(x, digits) for x in row) for row in rows)
    return ('      <source id="%s"><float_array id="%s-array" count="%d">\n%s\n</float_array>\n'
            '        <technique_common><accessor source="#%s-array" count="%d" stride="3">'
            '<param name="X" type="float"/><param name="Y" type="float"/>'
            '<param name="Z" type="float"/></accessor></technique_common></source>\n'
            % (name, name, 3 * len(rows), data, name, len(rows)))


def _indexed(solids):
    """Positions, normals and (position, normal) indices; a normal is shared up to the crease."""
    positions, indices, normals, index_of = [], [], [], {}
    for solid in solids:
        points = [tuple(snap(x) for x in v) for v in solid.vertices]
        base = len(positions)
        positions += points
        corner_normals = _corner_normals(points, solid.triangles)
        for triangle, corner in zip(solid.triangles, corner_normals):
            for vertex, normal in zip(triangle, corner):
                if normal not in index_of:
                    index_of[normal] = len(normals)
                    normals.append(normal)
                indices.append((base + vertex, index_of[normal]))
    return positions, normals, indices


def _corner_normals(points, triangles):
    """Per triangle three unit normals: the mean of the facets at that vertex that bend little."""
    facets, around = [], {}
    for index, (a, b, c) in enumerate(triangles):
        facets.append(_area_normal(points[a], points[b], points[c]))
        for vertex in (a, b, c):
            around.setdefault(vertex, []).append(index)
    units = [_unit(n) for n in facets]
    result = []
    for index, triangle in enumerate(triangles):
        own = units[index]
        corner = []
        for vertex in triangle:
            total = [0.0, 0.0, 0.0]
            for other in around[vertex]:
                if sum(own[k] * units[other][k] for k in range(3)) >= CREASE:
                    for k in range(3):
                        total[k] += facets[other][k]
            corner.append(tuple(round(x, 3) + 0.0 for x in _unit(total)))
        result.append(corner)
    return result


def _area_normal(a, b, c):
    u = [b[k] - a[k] for k in range(3)]
    v = [c[k] - a[k] for k in range(3)]
    return (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])


def _unit(v):
    length = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    return tuple(x / length for x in v) if length > 0.0 else (0.0, 0.0, 0.0)
