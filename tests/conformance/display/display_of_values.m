% oracle: values are displayed in MATLAB form
x = 5
y = [1 2; 3 4]
z = 'text'
b = true
e = []
c = {1, 'a'}
s.a = 1;
s
x;
f = @(x) x + 1
i = int8([1 2 3])
1:3
w = single(2.5)
q = {}
n = NaN
r = 1e6
t = [1.5 NaN; Inf -2]
