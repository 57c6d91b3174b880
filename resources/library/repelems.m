function y = repelems(x, R)
% y = repelems(x, R): the element x(R(1,k)) R(2,k) times, for each column of R, as a row (Octave's).
y = repelem(reshape(x(R(1, :)), 1, []), R(2, :));
end
