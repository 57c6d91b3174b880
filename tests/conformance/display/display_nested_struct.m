% oracle: MATLAB's layout
s.a.b.c = 1;
s
s.a
t.m = magic(3); t.z = 1 + 2i; t.i = int8(3); t.l = [true false]; t.k = single(1.5); t.w = 'hi'; t.q = {};
t
