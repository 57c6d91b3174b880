function options = ddeset(varargin)
% options = ddeset(name, value, ...), ddeset(old, new): options of dde23.
%   Names are AbsTol, Events, InitialStep, InitialY, Jumps, MaxStep, NormControl, OutputFcn,
%   OutputSel, Refine and RelTol, in any case.
names = {'AbsTol', 'Events', 'InitialStep', 'InitialY', 'Jumps', 'MaxStep', 'NormControl', 'OutputFcn', 'OutputSel', 'Refine', 'RelTol'};
options = cell2struct(cell(numel(names), 1), names(:), 1);
k = 1;
while k <= nargin && (isstruct(varargin{k}) || isempty(varargin{k}))
  if isstruct(varargin{k})
    for field = fieldnames(varargin{k}).'
      value = varargin{k}.(field{1});
      if ~isempty(value), options.(field{1}) = value; end
    end
  end
  k = k + 1;
end
if mod(nargin - k + 1, 2)
  error('MATLAB:ddeset:ArgNameValueMismatch', 'Arguments must occur in name-value pairs.');
end
for k = k:2:nargin
  known = find(strncmpi(names, varargin{k}, strlength(varargin{k})));
  if numel(known) ~= 1
    error('MATLAB:ddeset:InvalidPropName', 'Unrecognized property name ''%s''.', varargin{k});
  end
  options.(names{known}) = varargin{k + 1};
end
end
