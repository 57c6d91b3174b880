function varargout = fnbrk(f, varargin)
% fnbrk(pp, part): a part of a piecewise polynomial: 'breaks', 'coefs', 'pieces' (or 'l'), 'order',
%   'dim', 'interval', 'form'. [a, b, ...] = fnbrk(pp, part1, part2, ...): several parts.
f = piecewise_form(f);
known = {'breaks', 'coefs', 'pieces', 'l', 'order', 'dim', 'interval', 'form'};
for k = numel(varargin):-1:1
    switch validatestring(varargin{k}, known)
        case {'pieces', 'l'}
            varargout{k} = f.pieces;
        case 'interval'
            varargout{k} = f.breaks([1 end]);
        otherwise
            varargout{k} = f.(validatestring(varargin{k}, known));
    end
end
end
