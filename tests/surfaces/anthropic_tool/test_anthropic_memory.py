"""Anthropic's memory tool over a space: view, write, delete and rename, by its exact strings."""

import pytest
from refusing import refused

from ricordo.surfaces.anthropic.tree import MemoryTree

# --- view ---------------------------------------------------------------------------------------


def test_a_file_is_shown_with_line_numbers(tree):
    tree.create("/memories/a.txt", "one\ntwo\n")

    assert tree.view("/memories/a.txt") == (
        "Here's the content of /memories/a.txt with line numbers:\n"
        "     1\tone\n     2\ttwo\n     3\t"
    )


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        ([2, 3], "     2\tb\n     3\tc"),
        ([3, -1], "     3\tc\n     4\td"),
        ([-5, 1], "     1\ta"),
        ([0, 1], "     1\ta"),
        ([4, 99], "     4\td"),
        ([9, 10], ""),
        ([2, 1], ""),
    ],
)
def test_a_range_of_lines_is_shown(tree, lines, shown):
    tree.create("/memories/a.txt", "a\nb\nc\nd")

    header = "Here's the content of /memories/a.txt with line numbers:\n"
    assert tree.view("/memories/a.txt", lines) == header + shown


def test_an_empty_file_has_one_empty_line(tree):
    assert tree.create("/memories/a.txt", "") == "File created successfully at: /memories/a.txt"

    assert tree.view("/memories/a.txt").endswith("numbers:\n     1\t")


def test_a_directory_is_shown_two_levels_deep_with_sizes(tree):
    tree.create("/memories/b/deep/er/x.txt", "x")
    tree.create("/memories/b/y.txt", "y" * 1536)
    tree.create("/memories/a.txt", "0123456789")
    tree.create("/memories/c.txt", "")
    tree.create("/memories/big.txt", "z" * 4096)
    tree.create("/memories/.hidden", "h")
    tree.create("/memories/.dir/x", "h")

    assert tree.view("/memories") == (
        "Here're the files and directories up to 2 levels deep in /memories, excluding hidden "
        "items:\n4K\t/memories\n10B\t/memories/a.txt\n4K\t/memories/b/\n4K\t/memories/b/deep/\n"
        "1.5K\t/memories/b/y.txt\n4K\t/memories/big.txt\n0B\t/memories/c.txt"
    )
    assert tree.view("/memories/b/deep").endswith(
        "4K\t/memories/b/deep\n4K\t/memories/b/deep/er/\n1B\t/memories/b/deep/er/x.txt"
    )


def test_an_empty_tree_can_be_viewed(tree):
    expected = (
        "Here're the files and directories up to 2 levels deep in /memories, excluding hidden "
        "items:\n4K\t/memories"
    )

    assert tree.view("/memories") == expected
    assert tree.view("/memories/").splitlines()[1] == "4K\t/memories"


def test_sizes_count_bytes(tree):
    tree.create("/memories/a.txt", "é" * 3)

    assert "6B\t/memories/a.txt" in tree.view("/memories")


def test_a_tree_of_many_files_is_shown_whole(tree):
    for number in range(510):
        tree.space.remember("x", f"/memories/{number:04}.txt")

    assert tree.view("/memories").count("\n") == 511


def test_too_many_lines_are_not_shown(space):
    tree = MemoryTree(space, max_bytes=None)
    tree.create("/memories/a.txt", "\n" * 999_999)

    assert refused(tree.view, "/memories/a.txt") == (
        "File /memories/a.txt exceeds maximum line limit of 999,999 lines."
    )


# --- write --------------------------------------------------------------------------------------


def test_a_file_is_created_once(tree):
    tree.create("/memories/a.txt", "one")

    assert refused(tree.create, "/memories/a.txt", "two") == "File /memories/a.txt already exists"
    assert tree.view("/memories/a.txt").endswith("     1\tone")


def test_a_directory_is_no_file_and_a_file_no_directory(tree):
    tree.create("/memories/a/b.txt", "x")

    assert refused(tree.create, "/memories/a", "x") == "File /memories/a already exists"
    assert "/memories/a/b.txt is a file" in refused(tree.create, "/memories/a/b.txt/c", "x")
    assert refused(tree.insert, "/memories/a", 0, "x") == "The path /memories/a is not a file."
    assert refused(tree.str_replace, "/memories", "a", "b") == "The path /memories is not a file."


def test_a_replacement_shows_two_lines_around_it(tree):
    tree.create("/memories/a.txt", "1\n2\n3\n4\n5\n6\n7")

    assert tree.str_replace("/memories/a.txt", "4", "four\n4b") == (
        "The memory file has been edited. Here is the snippet showing the change (with line "
        "numbers):\n     2\t2\n     3\t3\n     4\tfour\n     5\t4b\n     6\t5"
    )


def test_a_text_that_is_not_there_or_there_twice_is_not_replaced(tree):
    tree.create("/memories/a.txt", "Hello\nMiddle\nHello")

    assert refused(tree.str_replace, "/memories/a.txt", "Bye", "x") == (
        "No replacement was performed, old_str `Bye` did not appear verbatim in /memories/a.txt."
    )
    assert refused(tree.str_replace, "/memories/a.txt", "Hello", "x") == (
        "No replacement was performed. Multiple occurrences of old_str `Hello` in lines: 1, 3. "
        "Please ensure it is unique"
    )
    assert "did not appear" in refused(tree.str_replace, "/memories/a.txt", "", "x")


def test_a_file_can_be_emptied_and_filled_again(tree):
    tree.create("/memories/a.txt", "one")

    tree.str_replace("/memories/a.txt", "one", "")
    assert tree.view("/memories/a.txt").endswith("numbers:\n     1\t")
    assert tree.insert("/memories/a.txt", 0, "two") == "The file /memories/a.txt has been edited."

    assert tree.view("/memories/a.txt").endswith("numbers:\n     1\ttwo\n     2\t")
    assert tree.space.get("/memories/a.txt").metadata == {}


@pytest.mark.parametrize(
    ("line", "after"), [(0, "new\na\nb\n"), (1, "a\nnew\nb\n"), (2, "a\nb\nnew\n")]
)
@pytest.mark.parametrize("before", ["a\nb", "a\nb\n"])
def test_a_line_is_inserted_and_the_file_ends_in_a_newline(tree, before, line, after):
    tree.create("/memories/a.txt", before)

    tree.insert("/memories/a.txt", line, "new\n")

    assert tree.space.get("/memories/a.txt").content == after


@pytest.mark.parametrize("line", [-1, 3])
def test_a_line_that_is_not_there_is_refused(tree, line):
    tree.create("/memories/a.txt", "a\nb\n")

    assert refused(tree.insert, "/memories/a.txt", line, "x") == (
        f"Invalid `insert_line` parameter: {line}. It should be within the range [0, 2]."
    )


def test_crlf_goes_in_and_comes_out_unchanged(tree):
    tree.create("/memories/a.txt", "one\r\ntwo\r\n")

    tree.str_replace("/memories/a.txt", "two", "TWO")
    tree.insert("/memories/a.txt", 1, "new")

    assert tree.space.get("/memories/a.txt").content == "one\r\nnew\nTWO\r\n"
    assert "     1\tone\r\n" in tree.view("/memories/a.txt")


@pytest.mark.parametrize("call", ["view", "str_replace", "insert"])
def test_what_does_not_exist_cannot_be_read_or_edited(tree, call):
    rest = {"view": (), "str_replace": ("a", "b"), "insert": (0, "x")}[call]

    assert refused(getattr(tree, call), "/memories/a.txt", *rest) == (
        "The path /memories/a.txt does not exist. Please provide a valid path."
    )


def test_a_file_has_a_limit_of_bytes(tree, space):
    tree.create("/memories/a.txt", "é x\n" * 20_480)

    assert "102,402 bytes, the limit is 102,400" in refused(
        tree.create, "/memories/b.txt", "é" * 51_201
    )
    assert "the limit is 102,400" in refused(tree.insert, "/memories/a.txt", 0, "x")
    assert MemoryTree(space, max_bytes=None).create("/memories/b.txt", "é x\n" * 20_480 + "é")


# --- delete and rename --------------------------------------------------------------------------


def test_a_file_and_a_directory_are_deleted(tree):
    tree.create("/memories/a/x.txt", "x")
    tree.create("/memories/a/b/y.txt", "y")
    tree.create("/memories/ab.txt", "z")

    assert tree.delete("/memories/a") == "Successfully deleted /memories/a"
    assert [entry.name for entry in tree.space.entries()] == ["/memories/ab.txt"]
    assert tree.delete("/memories/ab.txt") == "Successfully deleted /memories/ab.txt"
    assert refused(tree.delete, "/memories/a") == "The path /memories/a does not exist"


def test_a_file_and_a_directory_are_renamed_with_their_history(tree):
    tree.create("/memories/a/x.txt", "x")
    tree.create("/memories/a/b/y.txt", "y")
    tree.str_replace("/memories/a/x.txt", "x", "X")
    uid = tree.space.get("/memories/a/x.txt").uid

    told = tree.rename("/memories/a", "/memories/c/d")

    assert told == "Successfully renamed /memories/a to /memories/c/d"
    assert tree.space.get("/memories/c/d/x.txt").uid == uid
    assert tree.space.history(uid)[0].content == "x"
    assert tree.view("/memories/c/d/b/y.txt").endswith("\ty")
    assert refused(tree.view, "/memories/a").startswith("The path /memories/a does not exist.")


def test_what_is_in_the_way_of_a_rename_stays(tree):
    tree.create("/memories/a.txt", "a")
    tree.create("/memories/b.txt", "b")
    tree.create("/memories/dir/c.txt", "c")

    for destination in ("/memories/b.txt", "/memories/dir", "/memories/a.txt", "/memories"):
        assert refused(tree.rename, "/memories/a.txt", destination) == (
            f"The destination {destination} already exists"
        )
    assert refused(tree.rename, "/memories/no.txt", "/memories/x") == (
        "The path /memories/no.txt does not exist"
    )
    assert "into itself" in refused(tree.rename, "/memories/dir", "/memories/dir/sub")
    assert "is a file" in refused(tree.rename, "/memories/dir", "/memories/a.txt/x")
    assert len(tree.space.entries()) == 3


@pytest.mark.parametrize("path", ["/memories", "/memories/", "/memories/.", "/memories/sub/.."])
def test_the_root_stays(tree, path):
    tree.create("/memories/a.txt", "a")

    assert refused(tree.delete, path) == "Cannot delete the /memories directory itself"
    assert refused(tree.rename, path, "/memories/x") == (
        "Cannot rename the /memories directory itself"
    )
    assert tree.view(path).endswith("1B\t/memories/a.txt")
