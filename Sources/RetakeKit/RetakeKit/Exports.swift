// A program that imports RetakeKit can read recordings without another import.
@_exported public import RetakeReader
