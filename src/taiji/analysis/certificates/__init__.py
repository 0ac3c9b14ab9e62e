"""Certificates: the value of a small board with a strategy for either side, checked without the solver."""

from taiji.analysis.certificates.certificate import Certificate, CertificateError, read_certificate
from taiji.analysis.certificates.checker import check_certificate
from taiji.analysis.certificates.writer import make_certificate

__all__ = ["Certificate", "CertificateError", "check_certificate", "make_certificate", "read_certificate"]
