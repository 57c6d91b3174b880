% Arrays, cells and structs that grow or are cut leave what shares them as it was.
a=[1 2;3 4]; b=a; a(3,:)=[5 6]; a(1,:)=[9 9]; disp(b), disp(a), c=a; c(:,3)=[7;8;9]; c(:,1)=[0;0;0]; disp(a), disp(c)
try, a(2,:)=[1 2 3]; catch e, disp(e.message), end
try, a(1.5,:)=[1 2]; catch e, disp('err'), end
a(5,:)=[1 1]; disp(a); x=5; x(2,:)=3; disp(x); x=1:3; x(2,:)=[4 5 6]; disp(x); z=zeros(0,3); z(end+1,:)=[1 2 3]; disp(z)
f=single([1 2]); f(2,:)=[3 4]; disp(class(f)); i8=int8([1 2]); i8(end+1,:)=[300 2]; disp(i8)
k=[1 2;3 4]; k(end+1,:)=[1+2i 3]; disp(k)
% cells
c={}; c(end+1)={1}; c(end+1)={'b'}; d=c; c(1)={5}; disp(d{1}), disp(c{1}), disp(size(c));
c={1,'b'}; d=c; d(end+1)={c}; disp(size(d)); disp(iscell(d{3})); e=c'; e(end+1)={3}; disp(size(e)); c(4)={1}; disp(size(c)); disp(isempty(c{3}));
L={1,2,3,4,5}; L=[L(2:end) L(1)]; disp([L{:}]); M=L; L(1)={100}; disp([M{:}]); q=L(2:1); disp(size(q)); q=L(3:3); disp(size(q)); w=L'; disp(size(w(2:3))); disp(size(w(4))); G={1,2;3,4}; disp(G(3)); disp(size(G(2:3)));
try, L(7), catch e, disp(e.message), end
try, L(0), catch e, disp('bad'), end
s=struct('a',1,'b','x'); t=s; s(2)=struct('a',2,'b','y'); u=s; s(3)=struct('b','z','a',3); disp([s.a]); disp(size(u)); s(1)=struct('a',10,'b','w'); disp([u.a]); disp([s.a]); disp(t.a); disp([s.b]);
try, s(4)=struct('a',1,'c',2); catch e, disp('dissimilar'), end
s(6)=struct('a',6,'b','q'); disp(size(s)); disp(isempty(s(5).a)); r=[s(1) s(2)]; disp(size(r)); r=[r; r]; disp(size(r)); r(3)=struct('a',77,'b',''); disp(r(1,2).a); 
try, r(9)=struct('a',1,'b',1); disp(size(r)), catch e, disp('amb'), end
n=struct('a',{}); n(1)=struct('a',1); disp(size(n)); n(2)=struct('a',{{1,2}}); disp(class(n(2).a)); v=[n struct('a',3)]; disp(size(v)); v=[v, []]; disp(size(v)); 
x=[{1} {2};{3} {4}]; disp(size(x)); y=[x;{5,6}]; disp(size(y)); y=[y {1;2;3}]; disp(size(y)); z=[{} {1}]; disp(size(z)); z=[{} {}]; disp(size(z)); z=[cell(1,0) {1}]; disp(size(z)); z=[cell(0,1); {1}]; disp(size(z)); z=[{1}, 'ab', 3]; disp(size(z)); z=[{1}; {2}; 3]; disp(size(z)); z=[{1}, []]; disp(size(z)); z=[{1},{}]; disp(size(z));z=[{1}, cell(1,0)]; disp(size(z));
try, z=[{1,2};{3}]; catch e, disp('cat err'), end
b=strcmp({'a','b';'c','a'},'a'); disp(b); disp(class(b)); b=strcmp({'a',1,[],'a'},'a'); disp(b); 
b=strcmp({'a'},'a'); disp(b); b=strcmp({},'a'); disp(size(b)); b=strcmp({'a','b'},{'a','c'}); disp(b); disp(strcmp({'a',[1 2 3]},'a')); disp(strcmp({''},'')); disp(strcmp({'',zeros(0,3)},''));disp(strcmp({'a','b'},{'a',2}));
q=1:5; disp(q([2:end 1])); disp(q([1 1;2 2])); disp(q([1;2])); m=magic(4); disp(m([2:end 1],:)); disp(m([1 5])); disp(m([1;5])); g=q'; disp(size(g([1 2]))); disp(size(g([1 2;3 4]))); o=7; disp(size(o([1 1 1]))); disp(size(o([1;1]))); h=zeros(1,1,3); disp(size(h([1 2])));
try, q([1 6]), catch e, disp(e.message), end
try, q([0 1]), catch e, disp(e.message), end
try, q([1 1.5]), catch e, disp(e.message), end
try, q([1 NaN]), catch e, disp('n'), end
try, q([1 -1]), catch e, disp('m'), end
try, q([1 Inf]), catch e, disp('i'), end
try, q([1 1e300]), catch e, disp('h'), end
q([2 7])=[8 9]; disp(q); q([])=[]; disp(size(q)); disp(size(q([]))); disp(size(q(zeros(1,0)))); disp(size(q(zeros(0,1))));disp(size(m(zeros(1,0))));disp(size(m([],1)));
w={'a','b','c'}; i=1; w(end+1)={'d'}; w(i)=[]; disp(numel(w)); function_cell = @() {1,2}; p=function_cell(); p(end+1)={3}; p2=function_cell(); disp(numel(p2));
st.c={}; st.c(end+1)={1}; st.c{end+1}=2; tt=st; st.c(1)={9}; disp(tt.c{1}); st.m=[1 2]; tt=st; st.m(end+1,:)=[3 4]; disp(tt.m); disp(st.m); st.s=struct('a',{1,2}); tt=st; st.s(1)=struct('a',5); disp(tt.s(1).a); st.s(3)=struct('a',6); disp(numel(tt.s));
