"""Cells that a loop only writes, and texts of numbers: as in the interpreter, in machine code."""

from __future__ import annotations

import pytest

from app.engine.jit import reporting
from tests.engine.jit.comparing import compare

PROGRAMS = {
    "values of every class": """
c={}; s='ab12'; for k=1:30, if mod(k,3)==0, c{end+1}=k; elseif mod(k,3)==1, c{end+1}=s(1:mod(k,5)); else, c{end+1}=[k k+1;3 4]>5; end, end
""",
    "special values": """
c={}; x=[NaN Inf -Inf -0 realmin 1e308]; for k=1:24, c{end+1}=x(mod(k,6)+1); c{end+1}=x(1:mod(k,7)); c{end+1}=zeros(mod(k,3),2); end
""",
    "a column of rows": """
c=cell(25,1); for k=1:25, c{k}=mod(1:mod(k,5)+1,3)+k; end
""",
    "a column that grows": """
c=cell(3,1); for k=1:25, c{end+1}=[k;2*k]; end
""",
    "a matrix of cells": """
c=cell(2,3); e=''; try, for k=1:9, c{k}=k*[1 2]; end, catch p, e=p.message; end
""",
    "behind a gap": """
c={1,'two'}; for k=1:20, c{3*k}=k; end
""",
    "another cell in every pass": """
n=0; for k=1:20, c={}; for j=1:mod(k,4), c{end+1}=j; end, n=n+numel(c)+10*isempty(c)+length(c); end
""",
    "another cell of a size": """
n=0; c={}; for k=1:20, c=cell(1,mod(k,4)); c{mod(k,3)+1}=k; n=n+numel(c); end
""",
    "its elements are counted": """
c={}; for k=1:30, if numel(c)<12, c{numel(c)+1}=k; else, c{max(end-3,1)}='x'; end, end
""",
    "a subscript that is none": """
c={}; e=''; try, for k=1:9, c{5-k}=k; end, catch p, e=p.message; end
""",
    "shared with another variable": """
c={1,2,3}; d=c; for k=1:9, c{mod(k,5)+1}=-k; end
""",
    "left in the middle": """
c={}; t=0; for k=1:30, c{end+1}=k; if mod(k,9)==0, t=t+numel(strsplit('a b')); end, c{end+1}='y'; end
""",
    "long values": """
c={}; for k=1:6, c{k}=zeros(1,300000)+k; end
""",
    "read afterwards in a loop": """
c={}; s=0; for k=1:20, c{k}=1:k; end, for k=1:20, s=s+sum(c{k}); end
""",
    "texts of numbers": """
c={}; for k=-12:12, c{end+1}=num2str(k*37); c{end+1}=sprintf('x%d-%s\\\\n%%',k,'ab'); c{end+1}=int2str(k); c{end+1}=sprintf('%d',k>3); end
""",
    "texts of other numbers": """
c={}; x=[0.5 NaN Inf -0 1e10 123456789 -2.5]; for k=1:21, c{end+1}=num2str(x(mod(k,7)+1)); c{end+1}=sprintf('%d',x(mod(k,7)+1)); end
""",
    "numbers of texts": """
s={'12','-3.25',' 7 ','.5','5.','1e3','0.1','123456.789012','99999999999999999999','x','-','','1,000','2+3i','- 4','+6','00.10','-0','.','1 2'};
r=zeros(1,60); t=0; for k=1:60, w=s{mod(k,20)+1}; r(k)=real(str2double(w)); end
""",
    "numbers of parts of a text": """
s='12.5,-3,44,0.001,7,1e2,'; a=1; x=[]; for k=1:numel(s), if s(k)==',', x(end+1)=str2double(s(a:k-1)); a=k+1; end, end
""",
}


@pytest.mark.parametrize("passes", [0, 2])
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_leave_the_same_in_machine_code(name: str, passes: int) -> None:
    compare(PROGRAMS[name], passes)


@pytest.mark.parametrize(
    "name",
    [
        "values of every class",
        "a column of rows",
        "another cell in every pass",
        "its elements are counted",
        "left in the middle",
        "texts of numbers",
        "numbers of parts of a text",
    ],
)
def test_such_loops_are_compiled(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    refused: list[str] = []
    monkeypatch.setattr(reporting, "report_refusal", lambda unit, line, text: refused.append(text))
    compare(PROGRAMS[name], 1)
    assert not refused
