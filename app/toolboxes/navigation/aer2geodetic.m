function [lat, lon, h] = aer2geodetic(az, elev, range, lat0, lon0, h0, spheroid, varargin)
% [lat, lon, h] = aer2geodetic(az, elev, range, lat0, lon0, h0, spheroid), aer2geodetic(..., 'radians'): places in directions and distances from another.
unit = inDegrees(varargin, 'aer2geodetic');
[east, north, up] = aer2enu(az*unit, elev*unit, range);
[lat, lon, h] = enu2geodetic(east, north, up, lat0*unit, lon0*unit, h0, spheroid);
[lat, lon] = deal(lat/unit, lon/unit);
end
