% oracle: cells are displayed in MATLAB form
a = 5; disp([a -1]); disp([a - 1]); disp([a , -1]); disp([a' a']); disp([1 -a]); disp([(1) (2)]); disp({a -1}); x = [1 +2]; disp(x); f = @(x) x; disp([f(1) -f(2)]); disp([a(1) (2)]); disp([1 - 1]); disp([a.*2 -1]); disp(['a' 'b']); disp([1 ...
2]); disp([~a !a]); y.z = 3; disp([y.z -1]); disp([1,2
3,4]); disp([1;2;]); disp([a' , 1]);
