"""Loops over global and persistent variables: as in the interpreter, and in machine code."""

from __future__ import annotations

import pytest

from app.engine.jit.loop_version import Version
from tests.engine.jit.comparing import compare

PROGRAMS = {
    "global_counter": """
global g
g=0; s=0; for k=1:40, s=s+k; g=g+2*s; end
function_sees=look();
function v=look()
 global g
 v=g;
end
""",
    "global_parameter_of_a_function": """
global a b
a=0.9; b=[1 2 3]; x=run(30); a=0.5; y=run(30); z=b;
function s=run(n)
 global a b
 s=0; for k=1:n, s=a*s+b(mod(k,3)+1); b(2)=b(2)+1; end
end
""",
    "global_array": """
global G
G=zeros(4,5); fill(); s=sum(G(:)); fill(); t=sum(G(:));
function fill()
 global G
 for i=1:4, for j=1:5, G(i,j)=G(i,j)*0.5+i*j; end, end
end
""",
    "a_function_changes_the_global": """
global n
n=1; m=0; for k=1:40, m=m+1; if mod(k,9)==0, bump(3); end, m=m+n; n=n+1; end, last=n;
function bump(v)
 global n
 n=n+v*10;
end
""",
    "what_is_not_compiled_sees_the_global": """
global g
g=1; c={}; for k=1:20, g=g+k; c{k}=peek(); g=g*0.5; end
function v=peek()
 global g
 v=g;
end
""",
    "error_after_a_change": """
global g
g=1; x=1:5;
try, for k=1:20, g=g+x(k); end, catch e, m=e.message; end
after=g;
""",
    "left_by_break_and_return": """
global g
g=0; for k=1:99, g=g+k; if g>50, break, end, end
r=go(7); q=g;
function r=go(n)
 global g
 r=0; while true, g=g-1; r=r+1; if r>n, return, end, end
end
""",
    "persistent_counter": """
a=step(5); b=step(7); c=other(3); d=step(1);
function r=step(n)
 persistent c w
 if isempty(c), c=0; w=3; end
 for i=1:n, c=c+w; if mod(i,5)==0, continue, end, w=w+1; end
 r=c*100+w;
end
function r=other(n)
 persistent c
 if isempty(c), c=1000; end
 for i=1:n, c=c+i; end
 r=c;
end
""",
    "persistent_beside_what_is_not_compiled": """
s=''; for j=1:3, s=[s '|' keep(4)]; end
function s=keep(n)
 persistent c
 if isempty(c), c=0; end
 s=''; for i=1:n, c=c+i; s=[s upper(sprintf('%d,',c))]; c=c*2; end
end
""",
    "global_made_by_a_script_line": """
global g
for k=1:9, g(end+1)=k^2; end
h=g;
""",
}


@pytest.mark.parametrize("passes", [0, 3])
@pytest.mark.parametrize("name", PROGRAMS)
def test_kept_variables_are_the_same_in_machine_code(name: str, passes: int) -> None:
    compare(PROGRAMS[name], passes)


def test_a_loop_over_a_global_is_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[Version] = []
    run = Version.run
    monkeypatch.setattr(Version, "run", lambda v, *given: (ran.append(v), run(v, *given))[1])
    for name in ("global_counter", "global_array", "persistent_counter"):
        compare(PROGRAMS[name])
        assert ran
        ran.clear()
