classdef CustomDisplay
    % Classes that decide how their objects are displayed, by overriding displayScalarObject.
    methods
        function disp(obj)
            % Header, properties and footer.
            if isempty(obj)
                displayEmptyObject(obj);
            elseif isscalar(obj)
                displayScalarObject(obj);
            else
                displayNonScalarObject(obj);
            end
        end
    end

    methods (Access = protected)
        function displayScalarObject(obj)
            fprintf('%s', getHeader(obj));
            matlab.mixin.CustomDisplay.displayPropertyGroups(obj, getPropertyGroups(obj));
            fprintf('%s', getFooter(obj));
        end

        function displayNonScalarObject(obj)
            fprintf('%s', getHeader(obj));
            fprintf('    %s\n', string(properties(obj)));
            fprintf('%s', getFooter(obj));
        end

        function displayEmptyObject(obj)
            fprintf('%s', getHeader(obj));
        end

        function header = getHeader(obj)
            if isscalar(obj)
                header = sprintf('  %s with properties:\n\n', class(obj));
            else
                extents = strjoin(arrayfun(@num2str, size(obj), 'UniformOutput', false), 'x');
                header = sprintf('  %s %s array with properties:\n\n', extents, class(obj));
            end
        end

        function footer = getFooter(obj) %#ok<MANU>
            footer = '';
        end

        function groups = getPropertyGroups(obj)
            groups = matlab.mixin.util.PropertyGroup(properties(obj));
        end
    end

    methods (Static, Access = protected)
        function displayPropertyGroups(obj, groups)
            % Names right-aligned, values in short form, group by group.
            for g = 1:numel(groups)
                if ~isempty(groups(g).Title)
                    fprintf('   %s\n', groups(g).Title);
                end
                list = groups(g).PropertyList;
                if isstruct(list)
                    names = fieldnames(list);
                    shown = list;
                else
                    names = cellstr(list);
                    shown = struct();
                    for k = 1:numel(names)
                        shown.(names{k}) = obj.(names{k});
                    end
                end
                text = evalc('disp(shown)');
                fprintf('%s', text);
                if isempty(names) || text(end) ~= newline
                    fprintf('\n');
                end
            end
        end
    end
end
