classdef KeyValueStore < handle
    % What map and reduce functions add to: add(store, key, value), addmulti(store, keys, values).
    properties (SetAccess = private)
        Keys = {};      % in the order in which they came
        Values = {};    % the values of each key, a cell per key
    end

    properties (Access = private)
        Places = [];    % where a key stands
    end

    methods
        function store = KeyValueStore()
            % An empty store.
            store.Places = containers.Map('KeyType', 'char', 'ValueType', 'double');
        end

        function add(store, key, value)
            % A value for a key, which is a number or a text.
            if isstring(key), key = char(key); end
            if ~(ischar(key) || (isnumeric(key) && isscalar(key) && ~isnan(key)))
                error('MATLAB:mapreduce:keyvalue:invalidKey', 'A key is a text or a number.');
            end
            if ischar(key)
                word = ['t' key];
            else
                word = ['n' num2hex(double(key))];
            end
            if isKey(store.Places, word)
                k = store.Places(word);
                store.Values{k}{end + 1, 1} = value;
            else
                store.Keys{end + 1, 1} = key;
                store.Values{end + 1, 1} = {value};
                store.Places(word) = numel(store.Keys);
            end
        end

        function addmulti(store, keys, values)
            % Values for as many keys.
            if isnumeric(keys), keys = num2cell(keys); end
            if isstring(keys), keys = cellstr(keys); end
            if ~iscell(values), values = num2cell(values); end
            if numel(keys) ~= numel(values)
                error('MATLAB:mapreduce:keyvalue:sizes', 'There must be one value for each key.');
            end
            for k = 1:numel(keys)
                add(store, keys{k}, values{k});
            end
        end
    end
end
