"""Han forms: what of traditional Chinese and Japanese counts as simplified."""

import subprocess
import sys
import unicodedata

import pytest

from ricordo.core.text.han_forms import FORMS
from ricordo.core.text.tokens import words

USED_LATE = """
import sys
from ricordo.core.text.tokens import words
name = "ricordo.core.text.han_forms"
words("Wo wohnt Böhm? Где живёт Гриша?")
print(name in sys.modules)
words("電腦")
print(name in sys.modules)
"""


def test_each_form_is_one_character_that_stays_as_it_is():
    assert len(FORMS) > 3000
    for form, same in FORMS.items():
        assert len(same) == 1
        assert ord(same) not in FORMS
        assert unicodedata.normalize("NFKD", chr(form) + same) == chr(form) + same
        assert all("\u3400" <= sign <= "\u9fff" for sign in chr(form) + same)


@pytest.mark.parametrize(
    ("traditional", "simplified"),
    [
        ("我對花生過敏", "我对花生过敏"),
        ("備用鑰匙放在樓下", "备用钥匙放在楼下"),
        ("車的年檢十一月到期", "车的年检十一月到期"),
        ("麵包與檯燈", "面包与台灯"),
        ("學校的圖書館", "学校的图书馆"),
    ],
)
def test_a_text_has_the_same_words_in_both_scripts(traditional, simplified):
    assert words(traditional) == words(simplified)


@pytest.mark.parametrize(
    ("old", "new"), [("渡邊", "渡辺"), ("齋藤", "斎藤"), ("廣澤", "広沢"), ("國學院", "国学院")]
)
def test_a_japanese_name_has_the_same_words_in_its_old_form(old, new):
    assert words(old) == words(new)


@pytest.mark.parametrize("pair", ["欠缺", "予豫", "缶罐"])
def test_chinese_words_of_their_own_stay_apart(pair):
    assert words(pair[0]) != words(pair[1])


def test_the_table_is_loaded_by_the_first_text_that_needs_it():
    told = subprocess.run(
        [sys.executable, "-c", USED_LATE], capture_output=True, text=True, check=True
    )

    assert told.stdout.split() == ["False", "True"]
