"""What lets somebody in: keys, tokens, passwords, private keys, connection strings, seed phrases."""

import re

from foundation.private_kind import NO_WORD_BEFORE, Kind

_NAMES_OF_KEYS = (
    r"(?:密码|口令|验证码|校验码|密钥|秘钥|私钥|pass(?:word|wd|code|phrase)|passwort|mot de passe|contrase[ñn]a|\bpwd|\bpin(?: code| number)?|api[ _-]?key|\bsecret(?: key)?"
    r"|access[ _-]?key(?:[ _-]?id)?|account[ _-]?key|client[ _-]?secret|private[ _-]?key|\btoken|verification code|\botp|\bcvv|\bcvc)"
)
_PREFIXES = r"(?:sk|pk|rk|ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abprs]|AKIA|ASIA|AIza|hf|npm|pypi|ya29|SG|dop_v1|shpat|lin_api|LTAI|AKID)"

SECRETS = (
    Kind(name="secret", pattern=re.compile(rf"{NO_WORD_BEFORE}{_PREFIXES}[-_.]?[A-Za-z0-9_\-]{{12,}}")),
    Kind(name="secret", pattern=re.compile(r"(?i)\b(?:bearer|basic)\s+[A-Za-z0-9._\-+/=]{16,}")),
    Kind(name="secret", pattern=re.compile(r"\beyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}")),
    Kind(
        name="secret",
        pattern=re.compile(r"-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[^-]{0,8000}(?:-----END [A-Z ]{0,20}-----)?"),
    ),
    Kind(name="secret", pattern=re.compile(r"\b[a-z][a-z0-9+.\-]{1,20}://[^\s:/@]{0,64}:(?P<hide>[^\s/@]{1,200})@")),
    Kind(
        name="secret",
        pattern=re.compile(
            rf"(?i){_NAMES_OF_KEYS}\s{{0,2}}(?:is|was|are|ist|est|es|是|为|叫|就是|改成了?|换成了?)?\s{{0,2}}[:：=]?\s{{0,2}}[\"'“‘`]?"
            r"(?P<hide>(?=[\x21-\x7e]{0,40}[0-9!@#$%^&*_\-])[\x21-\x2b\x2d-\x3a\x3c-\x7e]{3,200}[\x21\x23-\x26\x2a\x2b\x2d\x2f-\x39\x3d\x40-\x5f\x61-\x7e])"
        ),
    ),
    Kind(
        name="secret",
        pattern=re.compile(r"(?i)\bpass(?:word|code|phrase) (?:is|=|:) ?(?P<hide>[\x21-\x7e]{4,80})"),
    ),
    Kind(
        name="secret",
        pattern=re.compile(
            r"(?i)(?:助记词|seed phrase|mnemonic(?: phrase)?|recovery phrase)\s{0,2}(?:is|是)?\s{0,2}[:：]?\s{0,2}(?P<hide>(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})"
        ),
    ),
)
