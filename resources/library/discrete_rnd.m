function x = discrete_rnd(v, p, varargin)
% x = discrete_rnd(v, p, ...): random numbers where v(k) has the probability p(k); sizes as for rand (Octave's).
x = discrete_inv(rand(varargin{:}), v, p);
end
