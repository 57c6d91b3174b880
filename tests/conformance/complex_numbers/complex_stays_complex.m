% oracle: Octave makes complex numbers real as soon as they are stored in a variable
% What complex makes is complex whatever its parts are, small or large; what is computed from it is not.
a = rand(700);
z = complex(a, 0*a);
w = complex([1 2], [0 0]);
disp([isreal(z) isreal(w) isreal(complex(a, 0*a)) isreal(complex(1, 0))])
disp([isreal(z + 1) isreal(w + 1) isreal(real(z)) isreal(z(1:3)) isreal(w(1))])
y = z;
disp([isreal(y) isreal(gather(y)) isequal(y, a)])
c = {z}; s.z = z;
disp([isreal(c{1}) isreal(s.z)])
