function [a, b] = two(), a = nargout; if nargout > 1, b = 'second'; end, end
x = two(); disp(x); [x, y] = two(); disp(y); two(); disp(ans); function varargout = any_outputs(), for k = 1:max(1, nargout), varargout{k} = k * nargout; end, end
[p, q, r] = any_outputs(); disp([p q r]); s = any_outputs(); disp(s); c = cell(1, 4); [c{:}] = any_outputs(); disp([c{:}]); z.f = 0; [z.f, z.g] = any_outputs(); disp([z.f z.g]); [m(1), m(2)] = any_outputs(); disp(m);
