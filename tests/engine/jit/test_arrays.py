"""Loops over small arrays, structs and handles: as in the interpreter, and in machine code."""

from __future__ import annotations

import pytest

from app.engine.jit import reporting
from app.engine.jit.jit_statements import Exit
from app.engine.jit.loop_version import Version
from tests.campaigns import long_form
from tests.engine.jit.array_programs import ArrayWriter
from tests.engine.jit.comparing import compare

COUNT = 96
PROGRAMS = {
    "rows_added": """
x=zeros(0,3); for k=1:40, x(end+1,:)=[k k^2 k^3]; end
""",
    "rows_added_and_read": """
x=[1 2]; s=0; for k=1:40, x(end+1,:)=x(end,:)*0.9+k; s=s+x(end,1); end
""",
    "rows_added_to_a_shared_matrix": """
x=[1 2;3 4]; y=x; for k=1:9, x(end+1,:)=[k k]; end
""",
    "column_into_a_row": """
x=magic(4); for k=1:4, x(k,:)=x(:,k)/2; end
""",
    "rows_behind_a_gap": """
x=magic(4); for k=1:3, x(5+k*2,:)=k; end
""",
    "rows_of_a_wrong_size": """
x=magic(4); try, for k=1:9, x(k,:)=1:mod(k,6)+1; end, catch e, m=e.message; end
""",
    "rows_of_text": """
x=['ab';'cd']; for k=1:9, x(end+1,:)='xy'; end
""",
    "rows_added_in_a_function": """
s=0; for k=1:9, s=s+sum(f(k)); end
function r=f(n)
 x=ones(1,2);
 for k=1:n, x(end+1,:)=[k n]; end
 r=x(end,1)+size(x,1);
end
""",
    "rows_of_a_schedule": """
b=2000; s=[]; while b>0 && size(s,1)<240, i=b*0.01; p=min(50-i,b); b=b-p; s(end+1,:)=[size(s,1)+1 i p b]; end
""",
    "rows_of_the_matrix_itself": """
x=[1 2;3 4]; for k=1:9, x(end+1,:)=x(k,:)+x(end,:); end
""",
    "columns_beside_each_other": """
A=mod(magic(8),7)+eye(8); Q=zeros(8); R=Q; B=A; for j=1:8
 v=A(:,j); c=Q(:,1:j-1)'*v; v=v-Q(:,1:j-1)*c; R(1:j-1,j)=c; R(j,j)=norm(v); Q(:,j)=v/R(j,j);
 B(:,2:4)=B(:,1:3); B(:,j:8)=B(:,j:8)*R(j:8,j:8); C=B(:,3:4); B(:,3)=j; d=sum(C,1);
end
""",
    "columns_that_are_not_there": """
A=magic(4); s=0; try, for k=1:9, s=s+sum(A(:,k:k+1)'*A(:,1)); end, catch e, m=e.message; end
""",
    "rows_in_order": """
s=0; for k=1:40, A=mod(reshape(1:24,8,3)*k,5); B=sortrows(A); [C,i]=sortrows(A,[2 -1]); D=sortrows(A,-3); s=s+B(3,2)+C(4,1)*i(2)+sum(D(:,1).*(1:8)'); end
""",
    "rows_in_order_by_one_column": """
q=[]; for k=1:40, q(end+1,:)=[mod(k*7,11) k]; [~,o]=sortrows(q,1); q=q(o,:); if mod(k,3)==0, q(1,:)=[]; end, end
""",
    "rows_in_order_with_nan": """
A=[3 NaN;1 2;1 NaN;3 -0;3 0]; for k=1:9, [B,i]=sortrows(A); C=sortrows(A,-2); A(1,2)=k; end
""",
    "rows_in_order_of_one": """
A=[3 1 2]; s=0; for k=1:9, [B,i]=sortrows(A,[2 -3]); C=sortrows(A); A(k)=k; s=s+i+B(1)+C(3); end
""",
    "rows_in_order_of_none": """
A=zeros(0,3); n=0; for k=1:9, [B,i]=sortrows(A); n=n+numel(B)+numel(i); if k>4, A(end+1,:)=[k k 1]; end, end
""",
    "rows_in_order_by_no_column": """
A=magic(4); try, for k=1:9, B=sortrows(A,[1 5]); end, catch e, m=e.message; end
""",
    "a column in order by rows": """
v=(9:-1:1)'; for k=1:9, v(k)=v(k)+k; [w,i]=sortrows(v); u=sortrows(w,-1); end, c=sortrows([1+2i 3;1 2]);
""",
    "differences of rows": """
A=magic(4)/3; s=0; for k=1:30, B=diff(A); C=diff(A(:,2)); n=[1 2+mod(k,3)]; d=diff(A(n,:)); s=s+B(2,3)*k+C(1)+d(2); A(1,k-4*floor((k-1)/4))=k; end
""",
    "differences of rows or of one": """
A=magic(4); s=0; for k=1:30, B=diff(A(1:1+mod(k,3),:)); s=s+sum(B(:))+size(B,1)*100; end
""",
    "several outputs into elements": """
S=zeros(6); T=S; a=1:5; for k=1:5, for j=1:5, [S(k+1,j+1),T(k+1,j+1)]=max([S(k,j)+mod(k*j,3) S(k,j+1)-1 S(k+1,j)-1]); end, end
n=[]; m=[]; for k=1:9, [n(end+1),m(k)]=min(a*k-10); [b,m(k)]=size(n); end
""",
    "an element that is put back": """
x=zeros(1,3); y=zeros(3,1); c=zeros(2); for k=1:9, try, [x(k),c(k)]=max([k 3 5]); catch, y(1)=y(1)+1; end
try, [y(mod(k,3)+1),x(k-4)]=min([k 3 5]+0.5); catch, c(1)=c(1)-1; end, [c(2),x(2)]=max([x(1) 4 k]); end
""",
    "outputs into what they depend on": """
i=1; x=[3 1 2]; for k=1:2, [m,x(1)]=max([x k]); [x(3),z]=min(x); end
""",
    "columns_added": """
x=zeros(3,0); for k=1:40, x(:,end+1)=[k;k^2;k^3]; end
""",
    "columns_added_to_nothing": """
x=[]; t=[]; for k=1:40, if mod(k,3), x(:,end+1)=[k;-k]; t(end+1,:)=[k x(1,end)]; end, end
""",
    "columns_added_to_a_column": """
x=[1;2]; s=0; for k=1:40, x(:,end+1)=x(:,end)*0.9+k; s=s+x(1,end); end
""",
    "columns_added_to_a_shared_matrix": """
x=[1 2;3 4]; y=x; for k=1:9, x(:,end+1)=k; end
""",
    "columns_added_to_a_row": """
x=1:2; for k=1:9, x(:,end+1)=k; end, y=single(x'); for k=1:9, y(:,end+1)=k; end
""",
    "columns_behind_a_gap": """
x=magic(4); for k=1:3, x(:,5+k*2)=k; end
""",
    "columns_of_a_wrong_size": """
x=magic(4); try, for k=1:9, x(:,k)=(1:mod(k,6)+1)'; end, catch e, m=e.message; end
""",
    "a row as a first column": """
x=[]; y=[]; try, for k=1:9, x(:,end+1)=[k k]; end, catch e, m=e.message; end
try, for k=1:9, y(end+1,:)=[k;k]; end, catch e, n=e.message; end
""",
    "nothing as a first line": """
x=[]; for k=1:9, x(:,end+1)=zeros(0,1); end, y=[]; for k=1:9, y(end+1,:)=5; end
""",
    "columns_of_text_and_truth": """
x=['ab';'cd']; z=true(2); for k=1:9, x(:,end+1)='xy'; z(:,end+1)=[k>3;k<2]; end
""",
    "columns_of_the_matrix_itself": """
x=[1 2;3 4]; for k=1:9, x(:,end+1)=x(:,k)+x(end,1:2)'; end
""",
    "columns_added_in_a_function": """
s=0; for k=1:9, s=s+sum(f(k)); end
function r=f(n)
 x=[];
 for k=1:n, x(:,end+1)=[k;n]; end
 r=x(1,end)+size(x,2);
end
""",
    "complex_columns": """
x=[]; for k=1:20, x(:,end+1)=[k;k*1i]; end
""",
    "steps_as_rows": """
f=@(t,u) [u(2); -u(1)]; u=[2;0]; out=u'; t=0; while t<3, u=u+0.05*f(t,u); t=t+0.05; out(end+1,:)=u'; end
""",
    "columns without a dimension": """
A=magic(4)/17-0.3; v=A(:,2); s=0; for k=1:30, [m,i]=max(A.*v+k); v=m'/sum(m); s=s+i(1)+sum(mean(A*k)); end
""",
    "tests of columns": """
A=magic(5); s=0; for k=1:30, t=any(A>k); u=all(A>k-20); s=s+nnz(t)*10+nnz(u); p=prod(A-k); s=mod(s+p(2),97); end
""",
    "columns or a row": """
A=magic(3); s=[]; for k=1:30, B=A(1:mod(k,3)+1,:)-k; x=sum(B); [m,i]=min(B); s(k)=x(1)+m(end)*10+i(1); end
""",
    "columns of nothing": """
A=magic(3); s=0; for k=1:20, B=A(1:mod(k,4),:); x=max(B); s=s+numel(x)+sum(sum(B)); end
""",
    "passes over columns": """
s=0; for k=1:30, for d=[0 0 1 -1;1 -1 0 0], q=[k 2*k]+d'; s=s+q(1)*q(2)+numel(d); if s>900, s=s-900; break, end, end, end
""",
    "passes over columns of a matrix": """
s=0; A=magic(4); for k=1:30, for d=A(:,1:3)>k, if d(2), continue, end, s=s+d(1)+k; end, s=s+d(end); end
""",
    "passes over columns or a row": """
s=0; A=magic(4); for k=1:30, for d=A(1:mod(k,4),:), s=s+sum(d)*k; end, end
""",
    "a mask of one element": """
x=zeros(1,0); x(1)=7; n=0; for k=1:20, y=x(x>k); n=n+size(y,1)*10+size(y,2); x(1)=x(1)+mod(k,3); end
""",
    "angles": """
s=0; for k=1:20, z=complex(k-9,2); s=s+angle(z)+arg(z*1i);
end
""",
    "areas": """
x=[1 3 2 5]; s=0; for k=1:9, s=s+trapz(x*k)+trapz([1 2 4 7],x)+trapz(0.5,x')+trapz(x,x'); end
""",
    "spreads": """
x=[1 3 2 5]; s=0; for k=1:9, s=s+var(x*k)+std(x')+var(x,1)+std(x,0)+median(x/k)+median([x k]); end
""",
    "ranges_of_fractions": """
s=zeros(1,0); for k=1:20, h=pi/k; x=0:h:pi; y=1:-0.1:-0.35; z=0.5:k/3; w=-k:k/7:k; s=[s sum(x) x(end) numel(x) sum(y) y(end) numel(z) sum(z) sum(w) w(end)]; end
""",
    "ranges_that_become_fractions": """
s=0; t=zeros(1,0); for k=1:24, h=k/4; x=0:h:9; t(end+1)=x(end); s=s+sum(x.^2)+numel(x); x=k:9.75; t(end+1)=x(end); end
""",
    "ranges_of_near_ends": """
t=zeros(1,0); for k=1:30, x=0:0.1:k*0.1; t(end+1)=x(end)-k*0.1; x=1:1/k:3; t(end+1)=x(end); x=3:-1/k:1; t(end+1)=numel(x)+x(ceil(end/2)); end
""",
    "reductions_of_nothing": """
x=1:9; t=zeros(1,0); for k=1:9, y=x(k:5); t(end+1)=sum(y)+prod(x(6:k)); t(end+1)=mean(x(x>k)); t(end+1)=sum(y>2)+sum(y'); end
""",
    "norms_of_matrices": """
A=magic(4); B=[1 2;3 4;5 6]; s=zeros(1,0); for k=1:9, s(end+1)=norm(A*k)+norm(B(1:2+mod(k,2),:)-k)+norm(A-diag(diag(A)),2); A=A'/1.5; end
""",
    "norms_of_what_is_not_finite": """
A=[1 2;3 4]; s=zeros(1,0); for k=1:9, A(1,1)=1/(5-k); s(end+1)=norm(A); end
""",
    "norms": """
A=magic(4); s=0; for k=1:9, s=s+norm(A,1)+norm(A,Inf)+norm(A*k,'fro')+norm(A(1,:),1)+norm(A(:,2),'inf')+norm(x_(k),2); end
function x=x_(k)
 x=[k 1 2];
end
""",
    "points and polynomials": """
s=0; p=[1 2 3]; for k=2:9, v=linspace(0,k,k+3); s=s+sum(v)+v(end)+polyval(p,k)+sum(polyval(p,[1 2 k])); end
""",
    "traces and products of blocks": """
A=magic(3)/3; s=0; for k=1:9, B=kron(A,[1 k]); C=kron([1;2],A); s=s+trace(A*k)+sum(B(:))+C(end,1); end
""",
    "systems": """
A=magic(3)+eye(3); b=[1;2;3]; s=0; for k=1:9, x=(A*k)\\b; y=b'/A; z=triu(A)\\b; w=tril(A)\\[b b*k]; s=s+sum(x)+sum(y)+sum(w(:))+z(1); end
""",
    "systems with more equations than unknowns": """
x=(1:10)'; M=magic(6); r=zeros(2,0); s=0; for k=1:9, y=k*x+mod(x*7,3); p=[x ones(10,1)]\\y; r=[r p]; s=s+x\\y+y'/x'; m=2+mod(k,4); A=M(1:m+1,1:m+1); B=A(:,1:2)\\[(1:m+1)' A(:,m)]; s=s+sum(B(:)); end
""",
    "systems with fewer equations than unknowns": """
s=0; for k=1:9, A=[1 2 3;4 5 k]; x=A\\[1;k]; s=s+x(1)*2+x(2)*3+x(3); q=[1 2 k]/[A;1 1 k;2 1 5]; s=s+sum(q); end
""",
    "systems of dependent columns": """
s=0; for k=1:9, A=[1 2;2 4;3 6]; A(1)=A(1)+max(0,5-k); x=A\\[1;2;k]; s=s+x(2); end
""",
    "powers": """
x=(1:40)/7; A=magic(4)/5; s=0; for k=1:9, y=x.^3; z=x'.^(k/7); V=x(1:5)'.^(0:3); W=2.^x+x.^-1+x.^0.5+x.^x; B=A.^A; w=x(1:1+(k>5)).^1.3; s=s+sum(y)+sum(z)+sum(V(:))+sum(W)+sum(B(:))+sum(w); end
""",
    "powers of negative numbers and zeros": """
s=0; t=zeros(1,0); for k=1:9, x=[-0 0 1 NaN Inf]; t=[t 1./x.^0.5 1./x.^(k/2)]; y=[-1 2 5].^[2 1.5 3]; z=[-1 2 5].^[k/2 1 1]; s=s+abs(sum(y))+abs(sum(z)); end
""",
    "what masks select of a few elements": """
t=zeros(1,0); s=0; A=magic(4); for k=1:30, x=1:1+mod(k,4); y=x(x>2); z=x'; z=z(z>2); m=(k>1:1+mod(k,2)*2); w=[1 2 3]; w=w(m); s=s+sum(y)+10*size(y,1)+size(z,2)*3+size(w,1)*7; t=[t y]; end
for k=1:30, B=A(1:1+mod(k,4),1:1+mod(k+1,3)); y=B(B>k); z=B(B(1,:)>2); s=s+sum(y)+10*size(y,1)+100*size(y,2)+size(z,2); end
""",
    "parts that may be empty": """
t=0; for k=1:20, a=1:mod(k,3); b=a(a>1); c=[b k b]; d=[zeros(0,1); k]; e=[a(a>9) a(a>9)]; t=t+sum(c)+numel(d)+size(e,1)*3+size(e,2); end
""",
    "sorted by recursion": """
y=quick_(mod((1:60)*7919,101)); z=quick_(5); w=quick_([]); v=quick_([3 1]); u=quick_([1;2;3]); for k=1:9, t=quick_(mod((1:k)*7,5)); end
function y = quick_(x)
 if numel(x) < 2, y = x; else, p = x(1); z = x(2:end); y = [quick_(z(z < p)), p, quick_(z(z >= p))]; end
end
""",
    "inverses": """
A=magic(3)+eye(3); s=0; for k=1:9, B=inv(A*k); s=s+det(A*k)+sum(B(:))+det([1 k;2 4])+inv(k)+det(k); end
""",
    "factors": """
A=magic(4)+eye(4); s=0; for k=1:9, [L,U,P]=lu(A*k); [M,V]=lu(A-k); [Q,R]=qr(A+k); C=chol(A'*A+k); x=U\\(L\\(P*[1;2;3;k])); s=s+sum(x)+sum(M(:))+V(2,3)+Q(2)+R(1,3)+C(1,2); end
""",
    "factors that do not exist": """
s=0; try, for k=1:5, [L,U,P]=lu([1 k;2 2*k]); C=chol([4-k 1;1 2]); s=s+U(1)+C(1); end, catch e, m=e.message; end
for k=1:3, [L,U,P]=lu([NaN k;2 3]); s=s+P(1); end
""",
    "order": """
x=[3 1 2 3]; s=0; for k=1:9, y=sort(x*mod(k,3)); [u,i]=sort(x','descend'); w=unique(mod(x*k,3)); s=s+y(2)+u(1)*i(2)+numel(w)+w(end)+sum(x(sort(i))); end
""",
    "sizes as arrays": """
x=[3 1 2 3]; s=0; for k=1:9, z=zeros(size(x)); z(2)=k; m=ones(size(x')); q=size(x); w=zeros([2 3]); s=s+sum(z)+sum(m)+q(2)+numel(w); end
""",
    "forms": """
x=[3 1 2 3]; s=0; for k=1:9, s=s+isrow(x)+iscolumn(x)+isscalar(k)+isvector(x')+isscalar(x)+isvector(magic_(k)); end
function m=magic_(k)
 m=[k 1; 2 3];
end
""",
    "functions for operators": """
x=[3 1 2 3]; s=0; for k=1:9, a=bsxfun(@plus,x,x'); b=bsxfun(@max,x,k); c=cat(1,x,x*k); d=horzcat(x,k); e=vertcat(x,x); f=transpose(x); s=s+sum(a(:))+sum(b)+sum(c(:))+sum(d)+sum(e(:))+f(2)+sum(uminus(x)); end
""",
    "arrays of other classes": """
x=[3 1 2 3]; s=0; for k=1:9, u=uint8(x*90); c=char(x+64+k); i=int32(x*k/3); g=single(x/k); s=s+sum(double(u))+sum(c)+sum(double(i))+sum(double(g)); end
""",
    "bits of bytes and numbers": """
c=uint8(7); s=0; for k=1:40, if bitand(c,128), c=bitxor(bitshift(c,1),uint8(7)); else, c=bitshift(c,1); end, c=bitor(c,1); s=s+double(bitshift(uint16(40000),k)); end
""",
    "several elements deleted": """
s=0; for k=1:5, x=1:9; x(2:3)=[]; x([1 end])=[]; s=s+sum(x)*k; y=(1:5)'; y(y>k)=[]; s=s+numel(y)+size(y,1); end
""",
    "rows and columns deleted": """
A=magic(4); for k=1:3, A(1,:)=[]; end, B=magic(4); for k=1:2, B(:,[1 end])=[]; B(:,end+1)=k; B(1:2,:)=[]; end
""",
    "a queue of rows": """
Q=[1 2]; n=0; while ~isempty(Q) && n<40, p=Q(1,:); Q(1,:)=[]; n=n+1; if n<9, Q(end+1,:)=p+1; Q(end+1,:)=p*2; end, end
""",
    "rows that become empty": """
u=zeros(3,0); for k=1:5, v=1:k; v(v>0)=[]; u=[u v]; end, q=[]; for k=1:5, v=1:k; v(v>0)=[]; q=[q v]; w=[v q]; end
""",
    "triangles": """
A=magic(4); s=0; for k=1:4, B=triu(A)+tril(A,-k)*2+triu(A,1); s=s+sum(B(:)); z=2*i+k*j; s=s+abs(z); end
""",
    "other shapes": """
x=1:6; s=0;
for k=1:9, y=reshape(x,2,3); z=reshape(y,[],2); w=reshape(x*k,[3 2]); v=reshape(x,1,2,3); s=s+y(2,1)+z(3,2)+w(2,2)+v(1,2,3)+sum(reshape(y,1,[]));
end
""",
    "shapes that do not fit": """
x=1:6; s=0; try, for k=1:6, y=reshape(x,k,[]); s=s+y(1,end); end, catch e, m=e.message; end
""",
    "diagonals": """
x=1:3; A=magic(4); s=0;
for k=1:4, D=diag(x*k); s=s+D(2,2)+D(3,1)+sum(diag(D)); d=diag(A); s=s+d(k); A(k,k)=0; B=diag(A(1:2,:)); s=s+B(end);
end
""",
    "shifted round": """
x=1:7; t='abc'; s=0; u='';
for k=-9:9, y=circshift(x,k); z=circshift(x',k); s=s+y(2)*k+z(3); x=circshift(x,1); u=[u circshift(t,k)];
end
""",
    "operators by name": """
s=0; for k=1:20, s=s+plus(k,2)*times(k,3)+power(k,2)+rdivide(k,4)+mtimes([1 2],[k;2])+(lt(k,3)+and(k>1,true)+ne(k,4));
end
""",
    "places and subscripts": """
M=zeros(3,4); s=0;
for k=1:12, [i,j]=ind2sub(size(M),k); M(i,j)=sub2ind(size(M),i,j); [p,q,r]=ind2sub([2 3 2],k); [~,u]=ind2sub([3 2 2],k); s=s+p+10*q+100*r+u+sub2ind([2 3 2],p,q,r)+sub2ind([3 4],1,2,1);
end
""",
    "places out of range": """
s=0; try, for k=1:16, [i,j]=ind2sub([3 4],k); s=s+i*j; end, catch e, m=e.message; end, try, for k=1:5, s=s+sub2ind([3 4],2,k); end, catch e, n=e.message; end
""",
    "matrix_times_vector": """
A=magic(4)/7; x=[1;2;3;4];
for k=1:20, x=A*x/norm(A*x);
end; y=x;
""",
    "rows_of_a_grid": """
L=magic(5)/30; U=zeros(30,7); U(1,:)=1:7; f=3; dt=.1;
for j=2:30, u = L*U(j-1,2:end-1)' + dt*f; U(j,2:end-1)=u;
end
""",
    "row_times_matrix": """
M=reshape(1:30,10,3); R=magic(3)/9;
for k=1:10, M(k,:)=M(k,:)*R;
end
""",
    "conjugate_gradients": """
A=magic(4)+20*eye(4); A=A*A'; b=[1;2;3;4]; x=zeros(4,1); r=b-A*x; p=r; rs=r'*r;
for k=1:4, Ap=A*p; al=rs/(p'*Ap); x=x+al*p; r=r-al*Ap; rn=r'*r; p=r+(rn/rs)*p; rs=rn;
end
""",
    "reductions": """
x=(1:50)/7; s=0;
for k=1:50, x(k)=x(k)*2; s=s+sum(x)+prod(x(1:3))+mean(x)+max(x)+min(x);
end
""",
    "masks": """
x=(1:50)/7; s=0;
for k=1:50, m=x>k/10; s=s+sum(x(m)); x(m)=x(m)-1; s=s+sum(m)+any(m)+all(m);
end
""",
    "breadth_first": """
n=12; G=mod((1:n)'*(1:n),5)==1; d=-ones(1,n); d(1)=0; q=1; s=0;
while ~isempty(q)
  u=q(1); q(1)=[]; v=find(G(u,:) & d<0); d(v)=d(u)+1; q=[q v]; s=s+numel(v);
end
""",
    "places_that_are_not_zero": """
x=[0 3 NaN -1 0]; c=x'; A=magic(4); m=[true false true]; v=[]; s=0;
for k=1:6, a=find(x); b=find(c>k); e=find(A>k+3); f=find(m); g=find(x,1); h=find(A'>3,2);
  s=s+sum(a)+sum(e)+sum(f)+sum(h)+g; w=find(x>2); x(2)=k; p=find(v>3-k,1);
  if isempty(p), v=[v k]; else, v=[v(1:p-1) k v(p:end)]; end
end
""",
    "any_does_not_look_at_nan": """
x=[0 NaN]; y=[0;0]; s=0; t=0;
for k=1:9, y(2)=x(2); s=s+any(x)+any(y)+any([0 NaN k-1]); t=t+all(x)+all([1 NaN])+all(y); end
""",
    "joined": """
x=[];
for k=1:20, x=[x k]; y=[x; x*2]; z=[y, [1;2]];
end
""",
    "joined_columns": """
x=zeros(0,1); q=1;
for k=1:20, q=[q; k]; w=[q' 3];
end
""",
    "elementary_functions": """
x=(1:20)/7;
for k=1:10, y=exp(-x)+sin(x).*cos(x)+log(x)+sqrt(x); x=x+0.1;
end
""",
    "rows_and_columns": """
r=1:4; c=(1:3)';
for k=1:5, y=r+c; z=y.*r-c;
end
""",
    "places_of_extremes": """
x=mod((1:30)*7,13);
for k=1:30, [m,i]=max(x); x(i)=0; [n,j]=min(x);
end
""",
    "lists_of_subscripts": """
x=(1:10)*2; idx=[3 1 2];
for k=1:5, y=x(idx); x(idx)=y+1; z=x(idx+1);
end
""",
    "ranges": """
for k=1:9, v=1:k; w=k:-1:1; y=v.*w;
end
""",
    "matrix_products": """
A=magic(3)/5; B=A';
for k=1:5, C=A*B; D=A'*C; B=D/100; E=C'*A';
end
""",
    "products_of_computed_transposes": """
A=rand(4); B=ones(4); r=rand(1,4);
for k=1:4, x=(B.*A')'*r'; y=(A'/3)'*r'; [s,t]=max((A'.*B)'*r'); z=r*(A'*3)'; end
""",
    "products_of_blocks": """
A=rand(4,9); v=rand(1,9);
for k=1:3, x=A(1:k,:)*v'; y=A(:,2:end)'*v(1:4)'; z=A(:,1:k)'*v(1:4)'; end
""",
    "products_with_the_own_transpose": """
A=rand(20,13); B=A;
for k=1:3, x=A'*A; y=A*A'; z=B'*A; d=max(abs(x-x')); e=max(abs(y-y')); end
""",
    "local_function": """
A=magic(3); x=[1;2;3];
for k=1:5, y=f(x,A); x=y/sum(y);
end
function r=f(x,A)
r=A*x+1;
end
""",
    "dot_and_norm": """
x=1:5; y=x';
for k=1:5, d=dot(x,y); n=norm(x)+d; x=x/n;
end
""",
    "blocks": """
A=zeros(5,5);
for i=1:5, A(i,:)=i*(1:5); A(:,i)=A(:,i)+1;
end; B=A(2:3,:);
for k=1:4, B=A([1 3],[2 k]); C=A(A>3);
end
""",
    "step_with_a_handle": """
L=magic(5)/300; U=zeros(30,7); U(1,:)=1:7; c=0.5; f=@(x,t) c*sin(x)*t; x=(1:5)'/3; t=(1:40)/9; dt=.1;
for j=2:30, u = L*U(j-1,2:end-1)' + dt*f(x,t(j-1)); U(j,2:end-1) = u;
end
""",
    "runge_kutta": """
mu=1.5; f=@(t,y) [y(2); mu*(1-y(1)^2)*y(2)-y(1)]; y=[2;0]; h=0.01; Y=zeros(2,50);
for k=1:50, t=k*h; k1=f(t,y); k2=f(t+h/2,y+h/2*k1); k3=f(t+h/2,y+h/2*k2); k4=f(t+h,y+h*k3); y=y+h/6*(k1+2*k2+2*k3+k4); Y(:,k)=y;
end
""",
    "newton_with_handles": """
g=@(x) x^2-2; dg=@(x) 2*x; x=1;
for k=1:8, x=x-g(x)/dg(x);
end; h=@sin;
for k=1:5, x=h(x)+g(k);
end
""",
    "handles_in_handles": """
a=2; g=@(x) a*x; f=@(x) g(x)+1; s=0;
for k=1:9, s=s+f(k);
end
""",
    "fields": """
S.p=0.25; S.n=0; S.v=zeros(1,5); S.q.r=3; y=zeros(4,1); z=(1:4)';
for i=1:20, y=(1-S.p)*y+S.p*z; S.n=S.n+S.q.r; S.v(2)=S.n; S.q.r=S.q.r+1;
end; T=S;
""",
    "shared_field": """
S.v=zeros(1,5); T=S;
for i=1:5, S.v(i)=i;
end; d=T.v;
""",
    "missing_field": """
S.v=1; r=0;
for i=1:5, r=r+S.v; if i==4, r=S.w;
end;
end
""",
    "products_of_nothing": """
A = magic(6); x = (1:6)'; r = zeros(6); y = zeros(6, 1);
for k = 1:7, y(k) = A(1, 1:k-1) * x(1:k-1) + A(1, k:6) * x(k:6);
 y(1:6) = y(1:6) + A(:, k:6) * x(k:6); r = r + A(:, k:6) * A(k:6, :) + A(k:6, :)' * A(k:6, :);
end
""",
    "handle_in_a_field": """
S.f=@(x) x*2; S.k=3; r=0;
for i=1:5, r=r+S.f(i)*S.k;
end
""",
    "argument_that_fails": """
f=@(x,t) x*2; v=1:3; r=0;
for i=1:5, r=r+f(i,v(i));
end
""",
    "filled": """
for k=1:4, A=eye(3)*k; B=eye(2,4); C=ones(k,2);
end
""",
    "column_into_its_own_row": """
A = magic(4);
for k = 1:4, A(end, :) = A(:, k)';
end
""",
    "boundary_rows": """
T=magic(9)/40; a=0.1;
for k=1:20
 T(2:end-1,2:end-1)=T(2:end-1,2:end-1)+a*(T(1:end-2,2:end-1)+T(3:end,2:end-1)-2*T(2:end-1,2:end-1));
 T(1,:)=T(2,:); T(end,:)=T(end-1,:); T(:,1)=T(:,2); T(:,end)=2*T(:,end-1)-T(:,end-2);
end
""",
    "blocks_and_transposes": """
A=magic(6)/9; B=A(1:4,:); c=(1:4)'; r=1:6; s=0;
for k=1:9
 B=0.5*B+A(2:5,6:-1:1)-c.*r/50; B(2:3,1:2:5)=A(1:3,k-fix(k/3)*3+(1:2))'; B(:,2:4)=B(:,2:4)+B(1,:)*B(2,:)'/99;
 A(1:4,:)=B-B(:,1); A(:,2:3)=A(2:3,:)'-A(:,1); s=s+sum(sum(A>B(1,1)));
end
""",
    "one_row_or_column_or_nothing": """
A=magic(5); s=zeros(1,3);
for k=1:12
 m=mod(k,4); B=A(1:m,2:4)+A(2:m+1,1:3)/7; C=A(:,1:m)'-A(:,2:m+1)'; D=A(1:m,1:m)-B(:,1);
 s=s+[sum(B(:)) sum(C(:)) sum(D(:))]; A(1:m,2:4)=B/2;
end
""",
    "blocks_of_other_sizes": """
A=magic(6); n=0;
try, for k=2:9, A(1:3,1:2)=A(1:mod(k,4)+1,1:2)+A(2:4,3:4); n=n+1; end, catch e, m=e.message; end
""",
    "part_into_itself": """
x = 1:9;
for k = 1:3, x(2:5) = x(1:4); x(end:-1:6) = x(6:end);
end
""",
}


@pytest.mark.parametrize("passes", [0, 2])
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_leave_the_same_in_machine_code(
    name: str, passes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused: list[str] = []
    monkeypatch.setattr(reporting, "report_refusal", lambda unit, line, text: refused.append(text))
    compare(PROGRAMS[name], passes)
    assert not refused


@pytest.mark.parametrize("first", long_form(range(0, COUNT, 6), 5))
def test_random_programs_of_arrays(first: int) -> None:
    for seed in range(first, first + 6):
        compare(ArrayWriter(seed).program(), passes=seed % 3)


@pytest.mark.parametrize(
    "name",
    [
        "steps_as_rows",
        "systems",
        "inverses",
        "order",
        "a queue of rows",
        "passes over columns",
        "bits of bytes and numbers",
    ],
)
def test_such_loops_are_never_left(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[int] = []
    exit_at = Version.exit_at

    def recorded(version: Version, site: int) -> Exit:
        left.append(site)
        return exit_at(version, site)

    monkeypatch.setattr(Version, "exit_at", recorded)
    compare(PROGRAMS[name])
    assert not left


@pytest.mark.parametrize(
    "name", ["columns without a dimension", "tests of columns", "columns or a row"]
)
def test_a_wrong_guess_about_a_matrix_is_made_once(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[int] = []
    exit_at = Version.exit_at

    def recorded(version: Version, site: int) -> Exit:
        left.append(site)
        return exit_at(version, site)

    monkeypatch.setattr(Version, "exit_at", recorded)
    compare(PROGRAMS[name])
    assert 1 <= len(left) <= 5
