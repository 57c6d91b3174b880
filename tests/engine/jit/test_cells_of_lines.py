"""Cells of texts and of rows that a loop reads by number: their elements lie one behind the other."""

from __future__ import annotations

import pytest

from app.engine.jit import reporting
from app.native import INSTANT
from tests.engine.jit.comparing import compare

PROGRAMS = {
    "words_joined": """
words={'cat','tiger','rat'}; n=0; t='';
for k=1:12, w = words{mod(k,3)+1}; n = n + numel(w); if w(1) == 't', n = n+1; end, t=[t w]; end
""",
    "words_compared": """
words={'cat','tiger','rat'}; n=0;
for k=1:3, for j=1:3, if strcmp(words{k}, words{j}), n=n+k; end, if words{k}(1) == words{j}(end), n = n + 10; end, end, end
""",
    "neighbours": """
adj={[2 3],1,[1 2 3],[4 1]}; d=[0 9 9 9];
for r=1:5, for u=1:numel(adj), for v=adj{u}, d(v)=min(d(v), d(u)+1); end, end, end
""",
    "switched": """
c={'a','bb','c'}; n=0;
for k=1:9, switch c{mod(k,3)+1}, case 'a', n=n+1; case 'bb', n=n+10; otherwise, n=n+100; end, end
""",
    "behind_the_last": """
c={'a','bb'}; n=0;
try, for k=1:9, n = n + numel(c{k}); end, catch e, m=e.message; end
""",
    "element_behind_the_last": """
c={'a','bb'}; n=0;
try, for k=1:9, n = n + (c{1}(k) == 'a'); end, catch e, m=e.message; end
""",
    "element_assigned": """
c={'a','bb','dd'}; n=0;
for k=1:9, n = n + numel(c{mod(k,3)+1}); if k == 5, c{2} = 'long word'; end, end
""",
    "cell_assigned": """
c={'a','bb','dd'}; n=0;
for k=1:9, n = n + numel(c{mod(k,3)+1}); if k == 5, c = {'xyz','u','v'}; end, end
""",
    "an_empty_text": """
c={'a','bb',''}; n=0;
for k=1:9, n = n + numel(c{mod(k,3)+1}); end
""",
    "rows_of_numbers": """
c={1,[2 3],4}; s=0;
for k=1:9, v = c{mod(k,3)+1}; s = s + sum(v) + v(end); end
""",
    "a_column": """
c={1,[2;3],4}; s=0;
for k=1:9, v = c{mod(k,3)+1}; s = s + sum(v) + v(end); end
""",
    "two_subscripts": """
c={'ab','cd';'ef','g'}; t='';
for k=1:4, t=[t c{k}]; end, for i=1:2, for j=1:2, t=[t c{i,j}]; end, end
""",
    "in_a_struct": """
S.names={'ab','cde'}; n=0;
for k=1:8, n=n+numel(S.names{mod(k,2)+1}); end
""",
    "one_text": """
c={'x'}; n=0;
for k=1:5, n=n+double(c{1}) + numel(c); w=c{1}; end
""",
    "roman": """
r={'M','CM','D'}; v=[1000 900 500]; s=''; n=3999;
for k=1:3, while n >= v(k), s=[s r{k}]; n=n-v(k); end, end
""",
    "masks": """
c={'ab','cd','ab'}; n=0;
for k=1:3, if isequal(c{k}, 'ab'), n=n+1; end, if any(c{k} == 'd'), n=n+5; end, u=upper(c{k}); end
""",
    "trapped": """
log={}; names={'Mon','Tue','Fri'}; f=0;
for k=1:30, if strcmp(names{mod(k,3)+1}, 'Fri') && mod(k,5)==0, f=f+1; log{end+1}=sprintf('%d',k); end, end
""",
}
LEFT = {"element_assigned", "cell_assigned", "an_empty_text", "a_column", "two_subscripts"}
"""Those of which a loop stays in the interpreter."""


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_leave_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    refused: list[str] = []
    monkeypatch.setattr(reporting, "report_refusal", lambda unit, line, text: refused.append(text))
    compare(PROGRAMS[name], len(name) % 2, INSTANT)
    assert bool(refused) == (name in LEFT), refused
