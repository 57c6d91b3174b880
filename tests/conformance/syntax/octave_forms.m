% oracle: Octave reads the name after catch on one line as the first statement
k = 0; do k++; until k == 3
printf("%d\n", k); if (k != 2) disp("ne"); endif
while (k > 0) k--; endwhile
disp(k); for i = 1:2 fprintf("%d ", i); endfor
fprintf("\n"); function r = oct(x) r = x ** 2; endfunction
disp(oct(3)); a.b = 1; a.b += 5; disp(a.b); x = !true; disp(x); switch (3) case {1 3} disp("in"); otherwise disp("out"); endswitch
try error("oops"); catch err disp(err.message); end_try_catch
s = ["a" 'b']; disp(s); unwind_protect disp("u"); unwind_protect_cleanup disp("c"); end_unwind_protect
y = ifelse_test = 4; disp(y); z.("dyn") = 2; disp(z.dyn); 1:3;
disp(ans); m = [1, 2
3, 4]; disp(m(end)); # done
