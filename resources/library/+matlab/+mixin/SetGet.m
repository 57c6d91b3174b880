classdef SetGet < handle
    % Handle classes whose properties are read and set by name, as those of graphics objects.
    methods
        function varargout = set(obj, varargin)
            % set(obj, name, value, ...) or set(obj, structure).
            if isscalar(varargin) && isstruct(varargin{1})
                given = [fieldnames(varargin{1}), struct2cell(varargin{1})].';
                varargin = given(:).';
            elseif mod(numel(varargin), 2) ~= 0
                error('MATLAB:class:InvalidArgument', ...
                    'Properties are set by pairs of a name and a value.');
            end
            for k = 1:2:numel(varargin)
                for n = 1:numel(obj)
                    obj(n).(matlab.mixin.SetGet.exact(obj, varargin{k})) = varargin{k + 1};
                end
            end
            varargout = cell(1, nargout);
        end

        function value = get(obj, name)
            % get(obj, name), or a structure of all public properties.
            if nargin > 1
                value = obj.(matlab.mixin.SetGet.exact(obj, name));
                return
            end
            value = struct();
            names = properties(obj);
            for k = 1:numel(names)
                value.(names{k}) = obj.(names{k});
            end
        end
    end

    methods (Static, Access = private)
        function name = exact(obj, name)
            % The property that a name means, whatever its case.
            names = properties(obj);
            found = find(strcmpi(names, name), 1);
            if ~isempty(found)
                name = names{found};
            end
        end
    end
end
