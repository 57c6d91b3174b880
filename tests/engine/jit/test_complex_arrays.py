"""Whole complex arrays in loops and functions: the same as in the interpreter, in machine code."""

from __future__ import annotations

import pytest

from app.engine.jit import reporting
from tests.engine.jit.comparing import compare

PROGRAMS = {
    "operators": """
x=(1:5)/3; r=0; for k=1:20, y=(x+1i*x).*(x-2i); z=y/k-y.*2+x./y; w=(3-2i)*y+conj(y).*y; r=r+sum(y)+sum(z)+sum(abs(w))+sum(real(z))+sum(imag(w)); end
""",
    "real in some passes": """
x=(1:5)/3; r=0; t=zeros(1,0); for k=1:20, y=x+1i*(k>10)*x; z=y.*y; w=z./y; v=z./(3+k*1i); r=r+sum(abs(w))+sum(abs(v)); t=[t real(w) imag(v)]; end
""",
    "exponentials": """
x=(0:7)'; s=0; for k=0:20, w=exp(-2i*pi*k*x/8); s=s+sum(real(w))+sum(abs(w(2:4)))+w(3); end
""",
    "negative zeros": """
s=zeros(1,0); for k=1:9, z=[1+2i -3 k]; y=conj(z); q=-z; u=y(2); s=[s sqrt(u) angle(q(2))]; w=-y; m=w; m(1)=0; end
""",
    "slices": """
z=(1:9)+1i*(9:-1:1); s=0; for k=1:9, y=z(1:k); v=z(y~=0); u=z(end:-1:1).'; q=z'; M=u*2; A=[z;y(1)*z]; B=A(:,2:3);
s=s+sum(y)+numel(v)+sum(q(1:k))+sum(B(:))+sum(A(2,:)); end
""",
    "stores": """
z=zeros(1,6); s=0; for k=1:9, z(2:3)=[1 1i*k]; z(4)=k; z(5:6)=k; s=s+z(3); w=z; w(w==k)=1i; z(1:2)=w(4:5); s=s+sum(w); end
""",
    "an array becomes real": """
z=[1+1i 2 3]; s=0; for k=1:9, z(1)=k+1i*(k<4); y=z./(2+0.5i); u=z.*z; s=s+sum(abs(y))+sum(abs(u)); end
""",
    "a transform by recursion": """
y=myfft((1:16)'); w=myfft((1:8)'+1i); z=myfft(3);
function y = myfft(x)
n = numel(x); if n == 1, y = x; return, end
e = myfft(x(1:2:end)); o = myfft(x(2:2:end)); w = exp(-2i*pi*(0:n/2-1)'/n); y = [e + w.*o; e - w.*o];
end
""",
    "what is not finite": """
s=0; x=[1 Inf NaN -Inf 0]; for k=1:9, z=x+1i*k; y=z.*(2+1i); u=z/k; v=z.*2; w=(1+1i)./(x+1i*k); s=s+numel(y); end
""",
    "overflow": """
s=0; for k=1:9, x=[1e-310 2]+1i*[1e-312 k]; y=1./x; z=[1e308 1]*(1+1i)*k; w=z./z; end
""",
    "arrays of a single element": """
s=0; for k=1:9, z=(1:1+(k>4))+1i*k; a=abs(z); c=conj(z); e=exp(z/9); y=z.*z; s=s+sum(a)+sum(c)+sum(e)+y(1); end
""",
    "arrays of nothing": """
s=0; for k=1:5, z=(1:k-1)+1i; y=z.*z; s=s+numel(y)+sum(abs(y)); end
""",
    "matrices": """
A=magic(4)+1i*magic(4)'; s=0; for k=1:9, B=A.'-A*k; C=A'; D=[A;B]; E=A(2:3,[1 4]).*(1:2); s=s+sum(B(:))+C(2,3)+sum(D(:))+sum(E(:))+numel(D)+size(D,1); end
""",
    "compared": """
z=[1+1i 2 3-1i]; s=0; for k=1:9, m=z==2; n=z~=z*k; p=z>k; q=sum(m)+sum(n)+sum(p); s=s+q; end
""",
    "a Julia set": """
[x,y]=meshgrid(linspace(-1.5,1.5,9)); z=x+1i*y; c=-0.4+0.6i; n=zeros(size(z)); for k=1:30, m=abs(z)<2; n=n+m; z(m)=z(m).^2+c; end
""",
    "powers": """
z=[1+1i 2.3 3-1i -0.7 5]; s=0; for k=1:9, y=z.^2; u=(z*k).^3; v=z.^-1; w=(z/k).^4; q=z(1:1+mod(k,2)).^2; s=s+sum(y)+sum(u)+sum(v)+sum(w)+sum(q); end
""",
    "a transform by sums": """
N=16; x=cos(2*pi*(0:N-1)*3/N); X=zeros(1,N); for k=1:N, w=exp(-2i*pi*(k-1)*(0:N-1)/N); X(k)=sum(x.*w); end, y=zeros(1,N);
for k=1:N, y(k)=real(sum(X.*exp(2i*pi*(k-1)*(0:N-1)/N)))/N; end
""",
    "numbers and arrays": """
s=0; for k=1:9, z=[1i*k 2]; y=z*1i; u=[k 1i;2 3]; v=u*u(1,2); s=s+y(1)+v(2,1); end
""",
    "functions of complex arrays": """
s=0; for k=1:9, [a,b]=f((1:4)*k,1i); s=s+sum(a)+sum(b); end
function [a,b]=f(x,c)
 a=x*c; b=a.*conj(a); if sum(x)>40, a=b; end
end
""",
    "until one is large": """
z=ones(1,4)*(0.5+0.5i); n=0; while max(abs(z))<100 && n<50, z=z.*z+(1:4)*0.3; n=n+1; end
""",
}


@pytest.mark.parametrize("passes", [0, 2])
@pytest.mark.parametrize("name", PROGRAMS)
def test_complex_arrays_are_compiled(
    name: str, passes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused: list[str] = []
    monkeypatch.setattr(reporting, "report_refusal", lambda unit, line, text: refused.append(text))
    compare(PROGRAMS[name], passes)
    assert not refused


@pytest.mark.parametrize(
    "text",
    [
        "z = (1:4)*1i; for k = 1:4, y = 'a' - z + true; y = uint8(k) - z; end",
        "z = (1:4)*1i; for k = 1:4, z = sort(z*k); end",
        "z = (1:4)*1i; s = 0; for k = 1:4, s = s + prod(z) + max(abs(z)); end",
        "A = magic(3)*1i; for k = 1:4, A = A*A/100; end",
        "z = (1:4)*1i; for k = 1:4, y = sqrt(z); w = z.^0.5; v = floor(z); end",
        "z = (1:4)*1i; t = 0; for k = 1:4, if z, t = t + 1; end, for w = z, t = t + w; end, end",
        "z = (1:4)*1i; for k = 1:4, m = z & 1; n = ~z; x = int8(1:4); q = cumsum(z); end",
        "z = (1:4)*1i; x = 1:9; for k = 1:4, y = x(real(z*-1i)); r = repmat(z, 2, 1); f = fliplr(z); end",
    ],
)
def test_what_is_not_compiled_of_them_gives_the_same(text: str) -> None:
    compare(text, 0)
