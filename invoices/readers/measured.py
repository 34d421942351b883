"""How often each reader was right, by its raw confidence, on labelled values: (raw confidence, values, right ones).

Made by `python -m benchmarks.calibration --code` from the project's own samples and the public corpus (859 and 857
values). What nodes make of it: `oversight/calibration.py`.
"""

from collections.abc import Mapping

MEASURED: Mapping[str, tuple[tuple[float, int, int], ...]] = {
    "cii": ((1.0, 503, 503),),
    "cn_einvoice": ((1.0, 90, 90),),
    "cn_original": ((1.0, 79, 79),),
    "cn_xbrl": ((1.0, 54, 54),),
    "csv": ((1.0, 54, 54),),
    "fatturapa": (
        (0.85, 2, 2),
        (1.0, 68, 68),
    ),
    "ofd": ((1.0, 3, 3),),
    "ofd_custom_data": ((1.0, 14, 14),),
    "ofd_tag": ((0.95, 9, 9),),
    "ofd_text": (
        (0.9, 23, 23),
        (0.95, 10, 10),
    ),
    "pdf_text": (
        (0.6, 32, 32),
        (0.85, 2, 2),
        (0.9, 197, 196),
        (0.95, 91, 91),
    ),
    "ubl": ((1.0, 383, 383),),
    "xlsx": ((1.0, 62, 62),),
    "zugferd1": ((1.0, 40, 40),),
}
