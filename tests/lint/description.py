"""A robot description as a tree that is written one element a line, so that a place can be named by
its line. It shares no code with the readers of graze: Python's expat parses, the rest is here.
"""

import copy
import math
import xml.parsers.expat
from xml.sax.saxutils import escape


class Node:
    """An element, or a comment (tag "!--", its words in `text`)."""

    def __init__(self, tag, attributes=(), children=()):
        self.tag, self.attributes, self.text = tag, dict(attributes), ""
        self.parent, self.children = None, []
        self.line = self.end_line = 0  # where its start and end tags were written last
        self.closed = True  # or its end tag is left out
        for child in children:
            self.add(child)

    def add(self, child, index=None):
        child.parent = self
        self.children.insert(len(self.children) if index is None else index, child)
        return child

    def remove(self):
        self.parent.children.remove(self)

    def child(self, tag):
        return next((c for c in self.children if c.tag == tag), None)

    def walk(self):
        yield self
        for child in self.children:
            yield from child.walk()

    def get(self, name, default=""):
        return self.attributes.get(name, default)

    def set(self, name, value):
        self.attributes[name] = value if isinstance(value, str) else "%.17g" % value
        return self

    def numbers(self, name):
        """The numbers of an attribute; none where it is missing or holds no numbers."""
        try:
            values = [float(word) for word in self.get(name).split()]
        except ValueError:
            return []
        return values if all(map(math.isfinite, values)) else []

    def number(self, name, default=None):
        values = self.numbers(name)
        return values[0] if len(values) == 1 else default


def parse(data):
    """The tree of an XML document (bytes)."""
    top, stack = Node(""), []
    parser = xml.parsers.expat.ParserCreate()

    def start(tag, attributes):
        stack.append((stack[-1] if stack else top).add(Node(tag, attributes)))

    def comment(words):
        node = Node("!--")
        node.text = words
        (stack[-1] if stack else top).add(node)

    def text(words):
        if stack and words.strip():
            stack[-1].text += words

    parser.StartElementHandler, parser.CommentHandler = start, comment
    parser.EndElementHandler, parser.CharacterDataHandler = lambda tag: stack.pop(), text
    parser.Parse(data, True)
    return top


def quoted(value):
    """A value between quotes. Tabs and line breaks stay as they are: one rule is about them."""
    return '"' + escape(value, {'"': "&quot;"}) + '"'


def write(top):
    """The text of a tree; every node learns its lines. No start tag takes two lines unless a value
    holds a line break."""
    lines = []

    def put(text):
        lines.extend(text.split("\n"))

    def visit(node, depth):
        node.line = len(lines) + 1
        indent = "  " * depth
        if node.tag == "!--":
            put(f"{indent}<!--{node.text}-->")
        else:
            words = "".join(f" {name}={quoted(value)}" for name, value in node.attributes.items())
            if not node.children:
                end_tag = f"</{node.tag}>" if node.closed else ""
                put(f"{indent}<{node.tag}{words}>{escape(node.text)}{end_tag}")
            else:
                put(f"{indent}<{node.tag}{words}>")
                if node.text:
                    put(escape(node.text))
                for child in node.children:
                    visit(child, depth + 1)
                if node.closed:
                    put(f"{indent}</{node.tag}>")
        node.end_line = len(lines)

    for node in top.children:
        visit(node, 0)
    return "\n".join(lines) + "\n"


class Robot:
    """A description (`top`) with what mutators ask of it."""

    def __init__(self, top):
        self.top = top

    @property
    def root(self):
        return next(c for c in self.top.children if c.tag != "!--")

    def copy(self):
        return Robot(copy.deepcopy(self.top))

    def nodes(self):
        return list(self.top.walk())

    def links(self):
        return [c for c in self.root.children if c.tag == "link"]

    def joints(self, *types):
        """The joints, or those of some types."""
        return [c for c in self.root.children
                if c.tag == "joint" and (not types or c.get("type") in types)]

    def link(self, name):
        return next((link for link in self.links() if link.get("name") == name), None)

    def joint(self, name):
        return next((joint for joint in self.joints() if joint.get("name") == name), None)

    def parts(self, tag, of):
        """The children of that tag of the elements `of`."""
        return [c for e in of for c in e.children if c.tag == tag]

    def parent_joint(self, link):
        return next((j for j in self.joints() if end(j, "child") == link.get("name")), None)

    def root_link(self):
        children = {end(j, "child") for j in self.joints()}
        return next(link for link in self.links() if link.get("name") not in children)

    def leaves(self):
        parents = {end(j, "parent") for j in self.joints()}
        return [link for link in self.links() if link.get("name") not in parents]

    def below(self, link):
        """The names of a link and all that it carries."""
        names, grown = {link.get("name")}, True
        while grown:
            more = {end(j, "child") for j in self.joints() if end(j, "parent") in names} - names
            names |= more
            grown = bool(more)
        return names

    def mimicked(self, joint):
        return any(m.get("joint") == joint.get("name") for m in self.parts("mimic", self.joints()))

    def moved(self, link):
        joint = self.parent_joint(link)
        return joint is not None and joint.get("type") != "fixed"

    def rename_link(self, link, name):
        """Renames a link, and what speaks of it."""
        old = link.get("name")
        for joint in self.joints():
            for part in joint.children:
                if part.tag in ("parent", "child") and part.get("link") == old:
                    part.set("link", name)
        link.set("name", name)

    def rename_joint(self, joint, name):
        old = joint.get("name")
        for mimic in self.parts("mimic", self.joints()):
            if mimic.get("joint") == old:
                mimic.set("joint", name)
        joint.set("name", name)


def end(joint, tag):
    """The name of the link at one end of a joint."""
    part = joint.child(tag)
    return part.get("link") if part is not None else ""


def load(path):
    return Robot(parse(path.read_bytes()))
