"""Loops over complex numbers: as in the interpreter, and in machine code."""

from __future__ import annotations

import pytest

from app.engine.jit import reporting
from tests.engine.jit.comparing import compare

COMPILED = {
    "sum of phases": """
z=0; for k=1:200, z=z+exp(1i*k*0.1); end
""",
    "Fourier sums": """
x=zeros(1,20); for k=1:20, s=0; for n=1:20, s=s+k*exp(-2i*pi*k*n/20); end; x(k)=s; end
""",
    "scaled by nothing": """
f=complex(-2.5,0.5); c=0; for k=1:9, g=(f*2i)*c; h=c*(f*-2i); w=(2i*3i)*c; v=(f*conj(f))*-c; end
""",
    "Newton": """
n=0;
for a=-1:.25:1
 for b=-1:.25:1
  z=a+1i*b;
  for k=1:30
   if abs(z)<1e-9, break, end
   z=z-(z^3-1)/(3*z^2);
   if abs(z^3-1)<1e-6, break, end
  end
  n=n+k;
 end
end
""",
    "impedances": """
Z=zeros(1,30); for k=1:30, w=2*pi*k*10; Z(k)=5+1j*w*1e-3+1/(1j*w*1e-6); end
""",
    "impedances from nothing": """
Z=[]; for k=1:30, w=2*pi*k*10; Z(k)=5+1j*w*1e-3+1/(1j*w*1e-6); end
""",
    "appended": """
Z=[]; for k=1:30, Z(end+1)=k+1i*(k-3); end; y=Z';
""",
    "matrix": """
Z=zeros(4); for k=1:4, for j=1:4, Z(k,j)=exp(2i*pi*k*j/4); end, end; w=abs(Z);
""",
    "horner": """
s=0; p=[1 2 3 4];
for k=1:50
 z=exp(1i*k/100);
 y=p(1);
 for m=2:4, y=y*z+p(m); end
 s=s+abs(y)+real(y)*imag(y);
end
""",
    "mandel": """
n=0; for k=1:20, z=0; c=complex(-0.7+k/50,0.27); for j=1:100, z=z^2+c; if abs(z)>2, break; end; end; n=n+j; end
""",
    "cubic": """
n=0; for k=1:20, z=0; c=complex(-0.7+k/50,0.27); for j=1:30, z=z^3+c; if abs(z)>2, break; end; end; n=n+j; end
""",
    "real part only": """
z=1; for k=1:10, z=z*(1i); end; y=z;
""",
    "real again": """
z=2; for k=1:20, z=z*1i; r(k)=real(z); q(k)=imag(z); end
""",
    "roots and logarithms": """
s=0; for k=1:20, z=(k-10)+1i*(mod(k,3)-1); s=s+log(z)+sqrt(z)+sin(z)*cos(z); end
""",
    "signs and comparisons": """
z=1i; for k=1:20, z=-z; w=conj(z); v=z-w; u=z==w; t=z~=1; end
""",
    "a factor of zero": """
z=1i; s=0; for k=1:20, z=z*0; s=s+1/(z+1); z=z+1i; end
""",
    "overflow": """
z=1+1i; for k=1:400, z=z*1e3; if k>300, break, end; end
""",
    "no number": """
z=1+1i; for k=1:40, z=z+NaN; w=z/2; end
""",
    "division by zero": """
z=1+1i; for k=1:40, w=z/(k-20); v=w/(1i*(k-5)); end
""",
    "power": """
z=1+1i; s=0; for k=1:20, s=s+z^k+z^4+z^0.5; z=z*(0.9+0.1i); end
""",
    "real power": """
z=2; s=0; for k=1:20, z=z*1i; s=s+z^3+z^4+z^2; end
""",
    "function": """
s=0; for k=1:20, s=s+f(k); end
function z=f(k)
 z=0; c=k/20;
 for j=1:5
  z=z*c+1i;
 end
end
""",
    "argument becomes complex": """
s=0; for k=1:20, s=s+f(k,2); end
function z=f(k,z)
 for j=1:5
  z=z/k+1i;
 end
end
""",
    "array of a function becomes complex": """
s=0; for k=1:20, s=s+f(k); end
function r=f(k)
 x=zeros(1,5);
 for j=1:5
  x(j)=j+k*1i;
 end
 r=x(2)*x(3);
end
""",
    "elements read": """
x=[1+2i 3 4-1i]; s=0; for k=1:3, s=s+x(k)*x(4-k); end; y=x;
""",
    "elements become real": """
x=[1+2i 3 4-1i]; y=x; for k=1:3, x(k)=real(x(k)); end
""",
    "elements swapped": """
x=[1+2i 3 4-1i]; for k=1:2, t=x(k); x(k)=x(k+1); x(k+1)=t; end
""",
    "butterflies": """
x=(1:16); n=16; X=x; for s=1:4, m=2^s; w=exp(-2i*pi/m); for k=0:m:n-1, t=1; for j=0:m/2-1, a=t*X(k+j+m/2+1); b=X(k+j+1); X(k+j+1)=b+a; X(k+j+m/2+1)=b-a; t=t*w; end, end, end
""",
    "grow col": """
x=zeros(0,1); for k=1:9, x(k,1)=k*1i; end
""",
    "deleted": """
x=[1+2i 3 4-1i]; for k=1:2, x(1)=[]; end
""",
    "complex in a branch": """
z=0; for k=1:10, if k>5, z=k*1i; else, z=k; end; w(k)=z; end
""",
    "while": """
z=0.1; n=0; while abs(z)<10, z=z*(1.2+0.3i); n=n+1; end
""",
    "array becomes complex in each pass": """
z=1i; for k=1:5, x=1:3; x(k)=z; end
""",
    "parts in conditions": """
z=1i; n=0; for k=1:9, z=z*(1+1i); if real(z)<2 || imag(z)>3, n=n+1; end; end
""",
    "signs of zero": """
z=-1; for k=1:5, y=sqrt(z*1i*1i); w=log(-z*1); v=exp(conj(z*1i)); end
""",
    "two variables": """
a=0;b=0; for k=1:10, a=a+1i; b=b+a*a; a=a*a; end
""",
    "field": """
s.z=0; for k=1:10, s.z=s.z*0.5+1i; end
""",
}
LEFT = {
    "integers": """
z=0; try, for k=1:3, z=int32(2)*1i; end, catch e, m=e.message; end
""",
    "logical": """
x=[true false]; for k=1:2, x(k)=k*1i; end
""",
    "single": """
x=single([1 2 3]); for k=1:3, x(k)=k*1i; end
""",
    "sum": """
x=zeros(1,5); for k=1:5, x(k)=k*1i; y=sum(x); end
""",
    "isreal after": """
z=3; for k=1:8, z=z*1i; r(k)=isreal(z); end
""",
}


@pytest.mark.parametrize("passes", [0, 2])
@pytest.mark.parametrize("name", COMPILED)
def test_complex_numbers_are_compiled(
    name: str, passes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused: list[str] = []
    monkeypatch.setattr(reporting, "report_refusal", lambda unit, line, text: refused.append(text))
    compare(COMPILED[name], passes)
    assert not refused


@pytest.mark.parametrize("name", LEFT)
def test_what_is_not_compiled_gives_the_same(name: str) -> None:
    compare(LEFT[name])
