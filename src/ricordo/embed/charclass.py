"""Character classes as BERT's tokenizer knows them: tables only, no tokenizing.

Python's own `unicodedata` moves with each release of Python, and a class that moves changes tokens
and so vectors. These tables are frozen (characters added to Unicode after 2015 count as letters),
which keeps one model fingerprint true on every Python. Each table lists, in hexadecimal, the code
points at which membership begins and ends, in turn.
"""

from bisect import bisect_right
from collections.abc import Sequence


def _bounds(text: str) -> tuple[int, ...]:
    return tuple(int(word, 16) for word in text.split())


def belongs(code: int, bounds: Sequence[int]) -> bool:
    """Say whether the code point lies in the class with these bounds."""
    return bisect_right(bounds, code) % 2 == 1


# Control, format, surrogate and private-use characters: removed before anything else.
DROPPED = _bounds("""
0 9 b d e 20 7f a0 ad ae 600 606 61c 61d 6dd 6de 70f 710 180e 180f 200b 2010 202a 202f 2060
2065 2066 2070 d800 f900 feff ff00 fff9 fffc fffd fffe 110bd 110be 1bca0 1bca4 1d173 1d17b
e0001 e0002 e0020 e0080 f0000 ffffe 100000 10fffe
""")

# Chinese characters: each is a word of its own. The gap at 2b820 is as trained.
IDEOGRAPHS = _bounds("""
3400 4dc0 4e00 a000 f900 fb00 20000 2a6e0 2a700 2b820 2b920 2ceb0 2f800 2fa20
""")

# Non-spacing marks: removed after decomposition.
MARKS = _bounds("""
300 370 483 488 591 5be 5bf 5c0 5c1 5c3 5c4 5c6 5c7 5c8 610 61b 64b 660 670 671 6d6 6dd 6df 6e5
6e7 6e9 6ea 6ee 711 712 730 74b 7a6 7b1 7eb 7f4 816 81a 81b 824 825 828 829 82e 859 85c 8e3 903
93a 93b 93c 93d 941 949 94d 94e 951 958 962 964 981 982 9bc 9bd 9c1 9c5 9cd 9ce 9e2 9e4 a01 a03
a3c a3d a41 a43 a47 a49 a4b a4e a51 a52 a70 a72 a75 a76 a81 a83 abc abd ac1 ac6 ac7 ac9 acd ace
ae2 ae4 b01 b02 b3c b3d b3f b40 b41 b45 b4d b4e b56 b57 b62 b64 b82 b83 bc0 bc1 bcd bce c00 c01
c3e c41 c46 c49 c4a c4e c55 c57 c62 c64 c81 c82 cbc cbd cbf cc0 cc6 cc7 ccc cce ce2 ce4 d01 d02
d41 d45 d4d d4e d62 d64 dca dcb dd2 dd5 dd6 dd7 e31 e32 e34 e3b e47 e4f eb1 eb2 eb4 eba ebb ebd
ec8 ece f18 f1a f35 f36 f37 f38 f39 f3a f71 f7f f80 f85 f86 f88 f8d f98 f99 fbd fc6 fc7 102d
1031 1032 1038 1039 103b 103d 103f 1058 105a 105e 1061 1071 1075 1082 1083 1085 1087 108d 108e
109d 109e 135d 1360 1712 1715 1732 1735 1752 1754 1772 1774 17b4 17b6 17b7 17be 17c6 17c7 17c9
17d4 17dd 17de 180b 180e 18a9 18aa 1920 1923 1927 1929 1932 1933 1939 193c 1a17 1a19 1a1b 1a1c
1a56 1a57 1a58 1a5f 1a60 1a61 1a62 1a63 1a65 1a6d 1a73 1a7d 1a7f 1a80 1ab0 1abe 1b00 1b04 1b34
1b35 1b36 1b3b 1b3c 1b3d 1b42 1b43 1b6b 1b74 1b80 1b82 1ba2 1ba6 1ba8 1baa 1bab 1bae 1be6 1be7
1be8 1bea 1bed 1bee 1bef 1bf2 1c2c 1c34 1c36 1c38 1cd0 1cd3 1cd4 1ce1 1ce2 1ce9 1ced 1cee 1cf4
1cf5 1cf8 1cfa 1dc0 1df6 1dfc 1e00 20d0 20dd 20e1 20e2 20e5 20f1 2cef 2cf2 2d7f 2d80 2de0 2e00
302a 302e 3099 309b a66f a670 a674 a67e a69e a6a0 a6f0 a6f2 a802 a803 a806 a807 a80b a80c a825
a827 a8c4 a8c5 a8e0 a8f2 a926 a92e a947 a952 a980 a983 a9b3 a9b4 a9b6 a9ba a9bc a9bd a9e5 a9e6
aa29 aa2f aa31 aa33 aa35 aa37 aa43 aa44 aa4c aa4d aa7c aa7d aab0 aab1 aab2 aab5 aab7 aab9 aabe
aac0 aac1 aac2 aaec aaee aaf6 aaf7 abe5 abe6 abe8 abe9 abed abee fb1e fb1f fe00 fe10 fe20 fe30
101fd 101fe 102e0 102e1 10376 1037b 10a01 10a04 10a05 10a07 10a0c 10a10 10a38 10a3b 10a3f 10a40
10ae5 10ae7 11001 11002 11038 11047 1107f 11082 110b3 110b7 110b9 110bb 11100 11103 11127 1112c
1112d 11135 11173 11174 11180 11182 111b6 111bf 111ca 111cd 1122f 11232 11234 11235 11236 11238
112df 112e0 112e3 112eb 11300 11302 1133c 1133d 11340 11341 11366 1136d 11370 11375 114b3 114b9
114ba 114bb 114bf 114c1 114c2 114c4 115b2 115b6 115bc 115be 115bf 115c1 115dc 115de 11633 1163b
1163d 1163e 1163f 11641 116ab 116ac 116ad 116ae 116b0 116b6 116b7 116b8 1171d 11720 11722 11726
11727 1172c 16af0 16af5 16b30 16b37 16f8f 16f93 1bc9d 1bc9f 1d167 1d16a 1d17b 1d183 1d185 1d18c
1d1aa 1d1ae 1d242 1d245 1da00 1da37 1da3b 1da6d 1da75 1da76 1da84 1da85 1da9b 1daa0 1daa1 1dab0
1e8d0 1e8d7 e0100 e01f0
""")

# Punctuation, and all ASCII that is neither letter, digit nor space: split off.
PUNCTUATION = _bounds("""
21 30 3a 41 5b 61 7b 7f a1 a2 a7 a8 ab ac b6 b8 bb bc bf c0 37e 37f 387 388 55a 560 589 58b 5be
5bf 5c0 5c1 5c3 5c4 5c6 5c7 5f3 5f5 609 60b 60c 60e 61b 61c 61e 620 66a 66e 6d4 6d5 700 70e 7f7
7fa 830 83f 85e 85f 964 966 970 971 af0 af1 df4 df5 e4f e50 e5a e5c f04 f13 f14 f15 f3a f3e f85
f86 fd0 fd5 fd9 fdb 104a 1050 10fb 10fc 1360 1369 1400 1401 166d 166f 169b 169d 16eb 16ee 1735
1737 17d4 17d7 17d8 17db 1800 180b 1944 1946 1a1e 1a20 1aa0 1aa7 1aa8 1aae 1b5a 1b61 1bfc 1c00
1c3b 1c40 1c7e 1c80 1cc0 1cc8 1cd3 1cd4 2010 2028 2030 2044 2045 2052 2053 205f 207d 207f 208d
208f 2308 230c 2329 232b 2768 2776 27c5 27c7 27e6 27f0 2983 2999 29d8 29dc 29fc 29fe 2cf9 2cfd
2cfe 2d00 2d70 2d71 2e00 2e2f 2e30 2e43 3001 3004 3008 3012 3014 3020 3030 3031 303d 303e 30a0
30a1 30fb 30fc a4fe a500 a60d a610 a673 a674 a67e a67f a6f2 a6f8 a874 a878 a8ce a8d0 a8f8 a8fb
a8fc a8fd a92e a930 a95f a960 a9c1 a9ce a9de a9e0 aa5c aa60 aade aae0 aaf0 aaf2 abeb abec fd3e
fd40 fe10 fe1a fe30 fe53 fe54 fe62 fe63 fe64 fe68 fe69 fe6a fe6c ff01 ff04 ff05 ff0b ff0c ff10
ff1a ff1c ff1f ff21 ff3b ff3e ff3f ff40 ff5b ff5c ff5d ff5e ff5f ff66 10100 10103 1039f 103a0
103d0 103d1 1056f 10570 10857 10858 1091f 10920 1093f 10940 10a50 10a59 10a7f 10a80 10af0 10af7
10b39 10b40 10b99 10b9d 11047 1104e 110bb 110bd 110be 110c2 11140 11144 11174 11176 111c5 111ca
111cd 111ce 111db 111dc 111dd 111e0 11238 1123e 112a9 112aa 114c6 114c7 115c1 115d8 11641 11644
1173c 1173f 12470 12475 16a6e 16a70 16af5 16af6 16b37 16b3c 16b44 16b45 1bc9f 1bca0 1da87 1da8c
""")
