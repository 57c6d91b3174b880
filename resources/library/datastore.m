function ds = datastore(location, varargin)
% Files read part by part: ds = datastore(location, 'Type', type, name, value, ...).
%   Text files with columns become a tabularTextDatastore, Parquet files a parquetDatastore,
%   workbooks a spreadsheetDatastore, pictures an imageDatastore.
type = '';
named = find(cellfun(@(v) (ischar(v) || isstring(v)) && strcmpi(v, 'Type'), varargin(1:2:end)), 1);
if ~isempty(named)
    type = lower(char(varargin{2*named}));
    varargin(2*named - 1:2*named) = [];
end
if isempty(type)
    first = char(string(location(1)));
    if ischar(location)
        first = location;
    end
    [~, ~, ending] = fileparts(first);
    if any(strcmpi(ending, {'.png', '.jpg', '.jpeg', '.tif', '.tiff', '.bmp', '.gif'}))
        type = 'image';
    elseif any(strcmpi(ending, {'.xlsx', '.xlsm', '.xltx', '.xltm'}))
        type = 'spreadsheet';
    elseif any(strcmpi(ending, {'.parquet', '.parq'}))
        type = 'parquet';
    else
        type = 'tabulartext';
    end
end
switch type
    case 'tabulartext'
        ds = tabularTextDatastore(location, varargin{:});
    case 'spreadsheet'
        ds = spreadsheetDatastore(location, varargin{:});
    case 'parquet'
        ds = parquetDatastore(location, varargin{:});
    case 'image'
        ds = imageDatastore(location, varargin{:});
    case 'file'
        ds = fileDatastore(location, varargin{:});
    otherwise
        error('MATLAB:datastoreio:datastore:unknownType', ...
            'There is no datastore of type ''%s''; use tabulartext, spreadsheet, parquet, image or file.', type);
end
end
