classdef TestSuite
    % Finds tests: TestSuite.fromFolder(folder), fromFile(file), fromClass(?Class), fromPackage(name).
    methods (Static)
        function tests = fromFolder(folder, varargin)
            for k = 1:2:numel(varargin)
                if strcmpi(varargin{k}, 'IncludingSubfolders')
                    varargin{k} = 'IncludeSubfolders';
                end
            end
            tests = testsuite(folder, varargin{:});
        end

        function tests = fromFile(file, varargin)
            tests = testsuite(file, varargin{:});
        end

        function tests = fromClass(class, varargin)
            tests = testsuite(class.Name, varargin{:});
        end

        function tests = fromMethod(class, method)
            tests = testsuite(class.Name, 'ProcedureName', method);
        end

        function tests = fromPackage(name, varargin)
            tests = testsuite(name, varargin{:});
        end
    end
end
