classdef Ring
  properties
    data
  end
  methods
    function r = Ring(d), r.data = d; end
    function varargout = subsref(r, s)
      if strcmp(s(1).type, '()')
        k = mod(s(1).subs{1} - 1, numel(r.data)) + 1;
        varargout{1} = r.data(k);
      else
        [varargout{1:max(1, nargout)}] = builtin('subsref', r, s);
      end
    end
    function r = subsasgn(r, s, v)
      if strcmp(s(1).type, '()')
        k = mod(s(1).subs{1} - 1, numel(r.data)) + 1;
        r.data(k) = v;
      else
        r = builtin('subsasgn', r, s, v);
      end
    end
    function n = numel(r, varargin), n = numel(r.data); end
    function n = end(r, k, n), n = numel(r.data); end
    function n = length(r), n = numel(r.data); end
  end
end
