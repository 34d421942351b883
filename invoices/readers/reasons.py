"""Why a file could not be read: the codes of `UnreadableError.reason`, with words for people in zh and en."""

REASONS: dict[str, tuple[str, str]] = {
    "unreadable": ("无法读取", "can't be read"),
    "empty": ("文件为空", "the file is empty"),
    "too_large": ("文件过大", "the file is too large"),
    "zip_bomb": ("解压后过大或嵌套过深，已拒绝", "it unpacks to too much or is nested too deep: refused"),
    "password": ("有密码保护，请解锁后重新提交", "it is protected by a password: send it unlocked"),
    "doctype": ("XML 含 DOCTYPE，已拒绝", "its XML carries a DOCTYPE: refused"),
    "broken_xml": ("XML 已损坏", "its XML is broken"),
    "broken_pdf": ("PDF 已损坏", "the PDF is damaged"),
    "broken_zip": ("压缩包已损坏", "the zip is damaged"),
    "broken_ofd": ("OFD 已损坏", "the OFD is damaged"),
    "broken_xlsx": ("工作簿已损坏", "the workbook is damaged"),
    "broken_csv": ("CSV 已损坏", "the CSV is damaged"),
    "broken_picture": ("图片已损坏", "the picture is damaged"),
    "encoding": ("文字编码无法识别", "its text encoding is unknown"),
    "no_text": ("没有可读的文字（扫描件或字体无编码）", "it has no readable text (a scan, or fonts without a mapping)"),
    "not_installed": ("读取图片需要安装 remembrancer[ocr]", "reading pictures needs remembrancer[ocr]"),
    "unknown_form": ("不认识的票样", "no reader knows this form"),
    "no_invoice": ("文件中没有发票", "there is no invoice in it"),
    "folder": ("这是压缩文件夹", "it is a zip folder"),
    "model_failed": ("模型没有给出答案", "the model gave no answer"),
}
