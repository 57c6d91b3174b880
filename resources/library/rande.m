function x = rande(varargin)
% x = rande(...): numbers of the exponential distribution with mean 1; sizes as for rand (Octave's).
x = -log(rand(varargin{:}));
end
