% Steps and assignments inside expressions change what they name.
q = 1; s = zeros (1, 3); s(q++) = 7; disp ([q s])
i = 1; v = [3 4 5]; disp (v(i++) + v(i++)), disp (i)
i = 0; n = 0; while i++ < 3, n += i; end, disp ([i n])
v = zeros (1, 3); v(1) = v(3) = 5; disp (v)
Q = zeros (3, 2); Q(2,:) = Q(3,:) = 4; disp (Q)
P = zeros (2, 2); P(1,1,1,3) = P(1,2) = 1; disp (size (P))
a.b = a.c = 3; disp ([a.b a.c])
x = 1; printf ("%d %d\n", x++, ++x), disp (x)
x = 5; y = x-- - --x, x
x = 5; y = x++ - 1; disp ([x y])
x = 5; y = x-- * 3; disp ([x y])
k.n = 3; y = k.n++; disp ([k.n y])
v = [1 2 3]; t = 0; for j = 1:3, t += v(j)++; end, disp ([v t])
q = int8 (127); p = q++; disp ([p q])
a = b = c = 4; disp ([a b c])
function r = counter ()
  persistent k;
  if (isempty (k)) k = 0; end
  r = k++;
end
counter (); counter (); disp (counter ())
if ([1 1] || 0) disp ("all"), end
if ([1 1; 1 0] && 1) disp ("bad"), else disp ("not all"), end
disp ([([] || 1) ([] && 1)])
z.y = 4; z.y .-= 1; disp (z.y)
