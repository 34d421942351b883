"""The law, standard or policy behind a rule, in Chinese; a source that is the same in both languages has no entry.

The rules themselves name their sources in English (`invoices.checks`).
"""

from collections.abc import Mapping

RULE_SOURCES: Mapping[str, str] = {
    "EN 16931 BR-CO-15; head of the Chinese VAT invoice": "EN 16931 BR-CO-15；增值税发票票面",
    "GB 32100-2015, first two characters": "GB 32100-2015，前两位",
    "ISO 4217 minor units": "ISO 4217 小数位",
    "Ministry of Finance data standard for digital invoices": "财政部电子凭证会计数据标准",
    "Ministry of Finance, Caikuai 2020 no. 6": "财会〔2020〕6号",
    "QR code of the Chinese VAT invoice": "增值税发票二维码",
    "State Council's holiday calendar; policy: dates.holiday_categories": "国务院节假日安排；公司政策：节假日限制类别",
    "State Taxation Administration notice 2017 no. 16": "国家税务总局公告2017年第16号",
    "State Taxation Administration notice 2019 no. 39": "财政部 税务总局 海关总署公告2019年第39号",
    "State Taxation Administration notice 2024 no. 11": "国家税务总局公告2024年第11号",
    "State Taxation Administration notices 2016 no. 76, 2019 no. 38; policy: blacklists": (
        "国家税务总局公告2016年第76号、2019年第38号；公司政策：黑名单"
    ),
    "State Taxation Administration notices 2024 no. 8 and 9": "国家税务总局公告2024年第8号、第9号",
    "State Taxation Administration: goods classes printed between asterisks": "国家税务总局商品和服务税收分类编码",
    "UNTDID 1001: 381 carries positive amounts": "UNTDID 1001：381 的金额为正",
    "VAT Law art. 22": "增值税法第二十二条",
    "VAT Law: tax-free supplies": "增值税法免税项目",
    "VAT id formats of the member states (python-stdnum); policy: vat": "各成员国增值税号格式；公司政策：增值税",
    "VAT rates by date: Caishui 2018 no. 32, notice 2019 no. 39, VAT Law art. 10 and 11": (
        "各时期税率：财税〔2018〕32号、2019年第39号公告、增值税法第十、十一条"
    ),
    "a red letter and its blue invoice net to zero": "红字发票与蓝字发票相抵为零",
    "arithmetic": "算术",
    "arithmetic; tolerance 0.01 a line": "算术；每行允差 0.01",
    "arithmetic; tolerance 0.01 × lines": "算术；允差 0.01 × 行数",
    "arm's length": "独立交易原则",
    "calendar": "日历",
    "comparison of the sources of one invoice": "同一发票各处读数比对",
    "differential taxation (差额征税)": "差额征税",
    "earlier invoices": "以往发票",
    "head of the Chinese VAT invoice": "增值税发票票面",
    "invoice code rules of the State Taxation Administration": "国家税务总局发票代码规则",
    "invoice layout of the State Taxation Administration": "国家税务总局发票票样",
    "layout of the Chinese VAT invoice": "增值税发票票样",
    "layout of the red-letter invoice": "红字发票票样",
    "look-up at the tax office": "税务机关查验",
    "pattern": "规律",
    "pattern: same seller, date and total": "规律：同一销售方、日期和金额",
    "payment fraud: a known seller's account changed": "付款欺诈：已知销售方换了账号",
    "policy": "公司政策",
    "policy: caps": "公司政策：费用标准",
    "policy: categories": "公司政策：费用类别",
    "policy: company.person_as_buyer": "公司政策：个人抬头",
    "policy: company.related": "公司政策：关联方",
    "policy: dates.trip_days": "公司政策：出差前后天数",
    "policy: dates; State Taxation Administration notice 2018 no. 28": "公司政策：日期；国家税务总局公告2018年第28号",
    "policy: limits": "公司政策：限额",
    "policy: limits.band_percent": "公司政策：接近限额的范围",
    "policy: limits.max_age_days": "公司政策：发票有效期",
    "policy: limits.round_to": "公司政策：整数金额",
    "policy: limits.split_days": "公司政策：拆单期限",
    "policy: rates": "公司政策：汇率",
    "policy: register": "公司政策：供应商名录",
    "reader": "读取程序",
    "red letters and credit notes seen earlier": "以往的红字发票",
    "red-letter confirmation sheet": "红字发票信息确认单",
    "red-letter invoices; not reimbursable alone": "红字发票不单独报销",
    "register and earlier invoices": "供应商名录与以往发票",
    "tax ids of individual businesses": "个体工商户税号",
}
"""Source as a rule names it -> the same in Chinese."""
