% dialect: matlab
% oracle: MATLAB's texts
x = [1 2 3]; m = magic(3); s.a = 1; c = {1};
try, x(5), catch e, disp(e.message), disp(e.identifier), end
try, x(0), catch e, disp(e.message), disp(e.identifier), end
try, x(1.5), catch e, disp(e.message), end
try, m(4,1), catch e, disp(e.message), end
try, m(1,0), catch e, disp(e.message), end
try, nothing_here, catch e, disp(e.message), disp(e.identifier), end
try, s.b, catch e, disp(e.message), disp(e.identifier), end
try, x{1}, catch e, disp(e.message), end
try, x.f, catch e, disp(e.message), end
try, [1 2 3] + [1 2], catch e, disp(e.message), end
try, ones(2)*ones(3), catch e, disp(e.message), end
try, x(1:2) = [1 2 3]; catch e, disp(e.message), disp(e.identifier), end
try, m(1,:) = [1 2]; catch e, disp(e.message), disp(e.identifier), end
try, [a, b] = deal(1, 2, 3); catch e, disp(e.message), end
try, c{3}; catch e, disp(e.message), end
try, x(logical([0 0 0 1])), catch e, disp(e.message), end
try, feval('nope_fn'), catch e, disp(e.message), end
try, s(2), catch e, disp(e.message), end
try, if [1 2] && 1, end, catch e, disp(e.message), end
try, x(:,:,2), catch e, disp(e.message), end
try, 'abc' + {1}, catch e, disp(e.message), end
